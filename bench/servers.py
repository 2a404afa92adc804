#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""W8: a real server. Measures file servers in turn: the CPU time of a request, requests per second, and system calls.

usage: servers.py HAND_WRITTEN [--uflow SERVER] [--rounds N] [--seconds S] [--connections N] [--json FILE]
       servers.py --uflow SERVER --threads N [--rounds N] [--seconds S] [--connections N] [--json FILE]

HAND_WRITTEN is bench/programs/http_epoll.c, SERVER is examples/12_http_server. nginx and lighttpd take part if they are
installed, with one worker each. All serve the same files. The servers run on one CPU and the client, wrk, on another.

With --threads, SERVER runs with one thread and with N, beside the others with N workers. The servers run on N CPUs, and
the client on all CPUs.

In each round each server answers for some seconds, in a changing order. A ratio is a server's CPU time of a request
divided by that of the first server, in the same round. The table has the geometric mean over the rounds with its 95 %
confidence interval (Student's t of the logarithms). The time includes all threads of all processes of the server."""
import argparse
import contextlib
import glob
import math
import os
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from run import circumstances, json_of

FILES = {"1 KiB": ("1k", 1 << 10), "64 KiB": ("64k", 1 << 16)}
# Student's t, 97.5 %, by degrees of freedom; beyond them it is near the last.
T = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
     2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]

NGINX = """daemon off; worker_processes {workers}; worker_rlimit_nofile {files};
pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections {files}; use epoll; }}
http {{
    access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 1000000000; keepalive_timeout 60s;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi; types {{ }} default_type application/octet-stream;
    server {{ listen 127.0.0.1:{port} backlog=4096{reuse}; root {root}; }}
}}
"""
LIGHTTPD = """server.document-root = "{root}"
server.bind = "127.0.0.1"
server.port = {port}
server.errorlog = "{folder}/lighttpd.log"
server.event-handler = "linux-sysepoll"
server.network-backend = "sendfile"
server.max-fds = {files}
server.max-worker = {forks}
server.max-connections = {connections}
server.max-keep-alive-requests = 1000000000
server.max-keep-alive-idle = 60
server.listen-backlog = 4096
mimetype.assign = ( "" => "application/octet-stream" )
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def configured(template, path, values):
    with open(path, "w", encoding="utf-8") as file:
        file.write(template.format(**values))
    return path


def commands(options, root, folder):
    """The servers: name -> (port, command). The other servers are compared with the first."""
    own = ["--connections", str(options.connections + 64), "--idle-ms", "60000", "--port"]
    found = {"hand-written": [options.hand_written, *own], "uflow": [options.uflow, *own]}
    if options.threads > 1:
        found = {"uflow, 1 thread": [options.uflow, *own],
                 f"uflow, {options.threads} threads": [options.uflow, "--threads", str(options.threads), *own]}
    result = {}
    for name, command in found.items():
        if command[0]:
            port = free_port()
            result[name] = (port, [*command, str(port), root])
    several = options.threads > 1
    values = {"folder": folder, "root": root, "files": 4 * options.connections + 64,
              "connections": options.connections + 64, "workers": options.threads,
              "reuse": " reuseport" if several else "", "forks": options.threads if several else 0}
    for name, template, words in (("nginx", NGINX, ["-c"]), ("lighttpd", LIGHTTPD, ["-D", "-f"])):
        program = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")
        if not program:
            print(f"{name} is not installed, and left out")
            continue
        port = free_port()
        path = configured(template, os.path.join(folder, name + ".conf"), {**values, "port": port})
        result[f"{name}, {options.threads} workers" if several else name] = (port, [program, *words, path])
    return result


def wait_until_open(process, port, name):
    until = time.monotonic() + 10
    while True:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        if process.poll() is not None or time.monotonic() > until:
            sys.exit(f"{name} did not start")
        time.sleep(0.02)


@contextlib.contextmanager
def running(servers, cpus):
    """All servers, on these CPUs: name -> process."""
    processes = {}
    try:
        for name, (port, command) in servers.items():
            processes[name] = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                               start_new_session=True,  # lighttpd ends its process group
                                               preexec_fn=lambda: os.sched_setaffinity(0, cpus))
            wait_until_open(processes[name], port, name)
        yield processes
    finally:
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()


def family(pid):
    """A process and its descendants."""
    found = [pid]
    for parent in found:
        for path in glob.glob(f"/proc/{parent}/task/*/children"):
            with open(path, encoding="ascii") as file:
                found += map(int, file.read().split())
    return found


def cpu_ns(pids):
    """The time that their threads have run, user and system."""
    total = 0
    for pid in pids:
        for path in glob.glob(f"/proc/{pid}/task/*/schedstat"):
            with open(path, encoding="ascii") as file:
                total += int(file.read().split()[0])
    return total


def load(port, path, options, cpus, seconds):
    """Runs wrk. Returns the number of requests, and how many there were per second."""
    done = subprocess.run(["wrk", f"-t{options.threads}", f"-c{options.connections}", f"-d{seconds}s",
                           "--timeout", "20s", f"http://127.0.0.1:{port}/{path}"],
                          stdout=subprocess.PIPE, text=True, check=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, cpus))
    if "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
        sys.exit(f"port {port}: there were errors\n{done.stdout}")
    return (int(re.search(r"(\d+) requests in", done.stdout)[1]),
            float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)[1]))


def measure(server, process, path, options, client_cpus):
    pids = family(process.pid)
    before = cpu_ns(pids)
    requests, rate = load(server[0], path, options, client_cpus, options.seconds)
    return (cpu_ns(pids) - before) / requests, rate


def system_calls(server, process, path, options, client_cpus):
    """System calls of a request: name -> number. {}: strace cannot be used."""
    if not shutil.which("strace"):
        return {}
    with tempfile.NamedTemporaryFile("r") as table:
        attach = [word for pid in family(process.pid) for word in ("-p", str(pid))]
        strace = subprocess.Popen(["strace", "-f", "-c", "-o", table.name, *attach], stderr=subprocess.DEVNULL)
        time.sleep(0.5)
        requests, _ = load(server[0], path, options, client_cpus, 2)
        strace.send_signal(signal.SIGINT)
        strace.wait(timeout=20)
        rows = [line.split() for line in table.read().splitlines()]
    counts = {row[-1]: int(row[3]) / requests for row in rows if len(row) >= 5 and row[3].isdigit()}
    counts.pop("total", None)
    return {name: round(count, 3) for name, count in sorted(counts.items(), key=lambda item: -item[1])
            if count >= 0.005}


def interval(ratios):
    """The geometric mean, and its 95 % confidence interval."""
    logs = [math.log(ratio) for ratio in ratios]
    middle = statistics.mean(logs)
    half = T[min(len(logs) - 2, len(T) - 1)] * statistics.stdev(logs) / math.sqrt(len(logs))
    return [math.exp(value) for value in (middle, middle - half, middle + half)]


def rows_of(label, times, rates, calls):
    base = next(iter(times))
    for name, values in times.items():
        row = {"workload": "W8", "what": label, "server": name, "cpu_ns": statistics.median(values),
               "requests_per_s": statistics.median(rates[name]), "system_calls": calls[name]}
        if name != base:
            row["ratio"], row["low"], row["high"] = interval([a / b for a, b in zip(values, times[base])])
        yield row


def show(row):
    ratio = f"{row['ratio']:6.3f} ({row['low']:.3f} to {row['high']:.3f})" if "ratio" in row else ""
    print(f"    {row['server']:19} {row['cpu_ns'] / 1000:8.2f} µs {row['requests_per_s']:9.0f}/s   {ratio}",
          flush=True)
    print(f"        {'':10}{sum(row['system_calls'].values()):.2f} system calls: "
          f"{', '.join(f'{name} {count:g}' for name, count in row['system_calls'].items())}", flush=True)


def run_file(label, path, servers, processes, options, client_cpus):
    names = list(servers)
    times, rates = {name: [] for name in names}, {name: [] for name in names}
    for name in names:  # once unmeasured: the first requests find cold caches
        load(servers[name][0], path, options, client_cpus, 1)
    for n in range(options.rounds):
        for name in names[n % len(names):] + names[:n % len(names)]:
            cpu, rate = measure(servers[name], processes[name], path, options, client_cpus)
            times[name].append(cpu)
            rates[name].append(rate)
    calls = {name: system_calls(servers[name], processes[name], path, options, client_cpus) for name in names}
    return list(rows_of(label, times, rates, calls))


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hand_written", nargs="?")
    parser.add_argument("--uflow")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--rounds", type=int, default=10, help="3 or more")
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--json")
    options = parser.parse_args()
    if options.threads == 1 and not options.hand_written:
        sys.exit("servers are compared with HAND_WRITTEN, or with one thread: --threads N")
    if options.threads > 1 and not options.uflow:
        sys.exit("--threads needs --uflow")
    if not 1 <= options.threads <= len(os.sched_getaffinity(0)):
        sys.exit("--threads: from 1 to the number of CPUs")
    if options.rounds < 3:
        sys.exit("an interval needs at least three rounds")
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed. Debian: apt-get install wrk")
    return options


def allow_descriptors(count):
    """For this process and its children: a server has two descriptors for each connection, and some more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        sys.exit(f"{count} descriptors are needed and `ulimit -Hn` is {hard}: use fewer --connections")
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def main():
    options = options_of()
    allow_descriptors(4 * options.connections + 256)
    cpus = sorted(os.sched_getaffinity(0))
    about = {**circumstances([]), "rounds": options.rounds, "seconds_each": options.seconds,
             "connections": options.connections, "threads": options.threads}
    print(f"{about['cpu']}, {about['cpus']} CPUs, {about['kernel']}, load {about['load']:.1f}; "
          f"commit {about['commit']}")
    print(f"{options.connections} connections; medians of {options.rounds} rounds of {options.seconds} s; "
          f"ratios of CPU time with 95 % confidence intervals\n")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, "root")
        os.mkdir(root)
        os.chmod(folder, 0o755)  # nginx gives up its rights
        for name, size in FILES.values():
            with open(os.path.join(root, name), "wb") as file:
                file.write(os.urandom(size))
        servers = commands(options, root, folder)
        client_cpus = set(cpus[:1]) if options.threads == 1 else set(cpus)
        with running(servers, set(cpus[-options.threads:])) as processes:
            for label, (path, _) in FILES.items():
                print(label)
                for row in run_file(label, path, servers, processes, options, client_cpus):
                    show(row)
                    rows.append(row)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(json_of({**about, "rows": rows}))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\ninterrupted")
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(str(error))
