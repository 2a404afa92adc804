autocmd BufNewFile,BufRead *.uflow setfiletype uflow
