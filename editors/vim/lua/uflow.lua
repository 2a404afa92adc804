-- require("uflow").setup() starts uflow-lsp for .uflow files, and for C sources beside them. Neovim 0.7 and later.
local M, clients = {}, {}

-- The folder with .git, which is a file in a worktree; without one, the folder of the file.
local function root_of(folder)
  local git = vim.fn.finddir(".git", folder .. ";")
  if git == "" then git = vim.fn.findfile(".git", folder .. ";") end
  return git == "" and folder or (vim.fn.fnamemodify(git, ":p"):gsub("/%.git/?$", ""))
end

function M.setup(options)
  options = vim.tbl_extend("keep", options or {}, { cmd = { "uflow-lsp" }, name = "uflow-lsp" })
  local function attach(event)
    local root = root_of(vim.fn.expand("<afile>:p:h"))
    if vim.bo.filetype ~= "uflow" and not clients[root] then return end
    clients[root] = clients[root] or vim.lsp.start_client(vim.tbl_extend("keep", options, { root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } } }))
    if clients[root] then vim.lsp.buf_attach_client(event.buf, clients[root]) end -- else Neovim has said why
  end
  vim.api.nvim_create_autocmd("FileType", { pattern = { "uflow", "c" }, callback = attach })
end

return M
