-- require("uflow").setup() starts uflow-lsp for .uflow files, and for C sources beside them. Neovim 0.7 and later.
local M, clients = {}, {}

function M.setup(options)
  options = vim.tbl_extend("keep", options or {}, { cmd = { "uflow-lsp" }, name = "uflow-lsp" })
  local function attach(event)
    local root = vim.fn.fnamemodify(vim.fn.finddir(".git", vim.fn.expand("<afile>:p:h") .. ";"), ":p:h:h")
    if vim.bo.filetype ~= "uflow" and not clients[root] then return end
    clients[root] = clients[root] or vim.lsp.start_client(vim.tbl_extend("keep", options, { root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } } }))
    vim.lsp.buf_attach_client(event.buf, clients[root])
  end
  vim.api.nvim_create_autocmd("FileType", { pattern = { "uflow", "c" }, callback = attach })
end

return M
