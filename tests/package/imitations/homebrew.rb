# ruby homebrew.rb FORMULA.rb WORK: installs a formula into WORK/prefix and runs its test; with UFLOW_DRY_RUN, it only
# configures and lets ninja say what it would do.
require "digest"
require "fileutils"
require "pathname"

DRY = ENV["UFLOW_DRY_RUN"]
WORK = Pathname(ARGV[1])

class Formula
  class << self
    attr_reader :facts

    %i[desc homepage url version sha256 license depends_on uses_from_macos].each do |name|
      define_method(name) { |value| ((@facts ||= {})[name] ||= []) << value }
    end

    def test(&block)
      @test = block if block
      @test
    end
  end

  def std_cmake_args = ["-G", "Ninja", "-DCMAKE_INSTALL_PREFIX=#{WORK}/prefix", "-DCMAKE_BUILD_TYPE=Release"]
  def bin = WORK/"prefix/bin"
  def include = WORK/"prefix/include"
  def testpath = WORK/"test"

  def system(*command)
    return if DRY && command.include?("--install")

    command += ["--", "-n"] if DRY && command.include?("--build")
    Kernel.system(*command.map(&:to_s), exception: true)
  end

  def assert_path_exists(path) = path.exist? || raise("there is no #{path}")
end


def ENV.cc = "cc"

load ARGV[0]
facts = Uflow.facts
raise "desc is too long" if facts[:desc][0].length > 80 || facts[:desc][0] =~ /\A(a|an|the) /i
archive = facts[:url][0].delete_prefix("file://")
raise "checksum" if Digest::SHA256.file(archive).hexdigest != facts[:sha256][0]

FileUtils.mkdir_p [WORK/"source", WORK/"test"]
Kernel.system("tar", "-xzf", archive, "--strip-components=1", "-C", (WORK/"source").to_s, exception: true)
formula = Uflow.new
Dir.chdir(WORK/"source") { formula.install }
Dir.chdir(WORK/"test") { formula.instance_eval(&Uflow.test) } unless DRY
