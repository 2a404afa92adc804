;;; uflow-mode.el --- Major mode for .uflow files -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: c languages

;;; Commentary:

;; C mode, with the words of uflow coloured where they are words, and the
;; indentation of `ufc fmt'.  C-c C-f formats the buffer, C-c C-c checks the
;; file and goes from error to error.  M-x eglot starts the language server.

;;; Code:

(require 'cc-mode)
(require 'compile)

(defgroup uflow nil
  "Flows, tasks and steps in C."
  :group 'languages)

(defcustom uflow-ufc "ufc"
  "The compiler."
  :type 'string)

;; tests/editors/check.py --update writes these lists from the tables of the compiler.
(defconst uflow-structure '("prologue" "header" "source" "import" "flow" "task" "step" "group" "on" "forever" "shutdown" "with" "durable" "transient" "signal" "checkpoint" "mailbox" "worker" "job" "pool" "test" "always" "sometimes" "at" "each" "history" "explore" "anytime" "sometime" "late" "quiet" "jobs" "from_thread" "stub" "every"))
(defconst uflow-handlers '("init" "enter" "exit" "end" "pause" "resume" "suspend" "restore"))
(defconst uflow-intents '("next" "stay" "await" "describe" "submit" "spawn" "done" "fail" "become"))
(defconst uflow-events '("until" "timeout" "deadline" "run" "idle" "fired" "arrived" "room" "any" "readable" "writable" "stopping" "vacant" "ended" "all" "first"))
(defconst uflow-clauses '("plain" "drop" "limit" "within" "round" "stops" "order" "reject" "real"))
(defconst uflow-names '("result" "reason" "item" "index" "paused" "outcome"))

(defconst uflow-begins "\\(?:^\\|[;{})(,:]\\|->\\|\\_<\\(?:else\\|await\\|on\\|with\\|every\\|timeout\\)\\_>\\)[ \t]*"
  "Where an intent or an event may begin.")

(defun uflow--any (words)
  "A regular expression that matches each of WORDS, as a group."
  (concat "\\_<" (regexp-opt words t) "\\_>"))

(defconst uflow-font-lock-keywords
  `((,(concat "\\(?:^\\|[^>.a-zA-Z0-9_]\\)" (uflow--any uflow-structure) "\\(?:[ \t]+[a-zA-Z_]\\|[ \t]*[\"{]\\)")
     1 font-lock-keyword-face t)
    (,(concat "\\_<on[ \t]+" (uflow--any uflow-handlers) "[ \t]*{") 1 font-lock-keyword-face t)
    (,(concat uflow-begins (uflow--any uflow-intents) "\\(?:[ \t]*;\\|[ \t]+[^ \t=]\\|[ \t]*[\"({&*-]\\)")
     1 font-lock-keyword-face t)
    (,(concat uflow-begins (uflow--any uflow-events)
              "\\(?:[ \t]+[0-9a-zA-Z_(]\\|[ \t]*->\\|[ \t]*(.*->\\|[ \t]*[,)]\\)")
     1 font-lock-builtin-face t)
    (,(concat "[^ \t\n][ \t]+" (uflow--any uflow-clauses) "[ \t]+[a-zA-Z0-9_(]") 1 font-lock-builtin-face t)
    (,(concat "\\(?:^\\|[^>.a-zA-Z0-9_]\\)" (uflow--any (cons "self" uflow-names))) 1 font-lock-variable-name-face t)
    ("\\_<\\(?:flow\\|group\\|task\\|step\\)[ \t]+\\([a-zA-Z_][a-zA-Z0-9_]*\\)[ \t]*[({-]"
     1 font-lock-function-name-face t)
    ("\\_<[0-9][0-9']*\\(?:\\.[0-9]+\\)?\\(?:ns\\|us\\|ms\\|s\\|min\\|h\\)\\_>" 0 font-lock-constant-face t))
  "The words of uflow.")

(defun uflow--in-code (keyword)
  "KEYWORD, but not in comments and strings, where its face would replace theirs."
  (cons (lambda (limit)
          (let (found)
            (while (and (setq found (re-search-forward (car keyword) limit t))
                        (nth 8 (save-match-data
                               (save-excursion (syntax-ppss (match-beginning (cadr keyword))))))))
            found))
        (cdr keyword)))

(defun uflow--column ()
  "The column of the line; nil inside of strings and comments."
  (save-excursion
    (back-to-indentation)
    (let* ((state (syntax-ppss)) (open (nth 1 state)) (is-brace (and open (eq (char-after open) ?{))))
      (cond
       ((or (nth 3 state) (nth 4 state)) nil)
       ((looking-at "#") 0)
       ((and open (not is-brace)) (1+ (save-excursion (goto-char open) (current-column))))
       (t
        (let ((base (if open (+ 4 (save-excursion (goto-char open) (current-indentation))) 0)))
          (cond
           ((looking-at "}") (- base 4))
           ((looking-at "\\(?:case\\_>.*\\|default[ \t]*\\|[a-zA-Z_][a-zA-Z0-9_]*[ \t]*\\):\\(?:[ \t]\\|$\\)") (- base 4))
           ((looking-at "{") base)
           ((progn (forward-comment (- (point-max)))
                   (or (bobp) (memq (char-before) '(?\; ?{ ?} ?:))
                       (save-excursion (back-to-indentation) (looking-at "#"))))
            base)
           (t (+ base 4)))))))))

(defun uflow-indent-line ()
  "Indent the line as `ufc fmt' does."
  (interactive)
  (let ((column (uflow--column)))
    (when column
      (if (<= (current-column) (current-indentation))
          (indent-line-to column)
        (save-excursion (indent-line-to column))))))

(defun uflow-format-buffer ()
  "Replace the buffer by its layout, if it has no syntax errors."
  (interactive)
  (let ((text (generate-new-buffer " *ufc fmt*")))
    (unwind-protect
        (if (eq 0 (call-process-region nil nil uflow-ufc nil (list text nil) nil "fmt" "-"))
            (replace-buffer-contents text)
          (message "The file has syntax errors: C-c C-c shows them"))
      (kill-buffer text))))

(defun uflow-check ()
  "Check the file."
  (interactive)
  (save-some-buffers (not compilation-ask-about-save))
  (compile (format "%s --check --color=never %s" uflow-ufc (shell-quote-argument (buffer-file-name)))))

(defvar uflow-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map c-mode-map)
    (define-key map (kbd "C-c C-f") #'uflow-format-buffer)
    (define-key map (kbd "C-c C-c") #'uflow-check)
    map)
  "Keys of `uflow-mode'.")

;;;###autoload
(define-derived-mode uflow-mode c-mode "uflow"
  "C, and the words of uflow."
  (font-lock-add-keywords nil (mapcar #'uflow--in-code uflow-font-lock-keywords) 'append)
  (setq-local indent-line-function #'uflow-indent-line
              indent-region-function nil
              indent-tabs-mode nil
              comment-start "// "
              comment-end ""
              imenu-generic-expression
              '(("Flows" "^[ \t]*flow[ \t]+\\([a-zA-Z_][a-zA-Z0-9_]*\\)[ \t]*[({]" 1)
                ("Tasks" "^[ \t]*\\(?:forever[ \t]+\\|shutdown[ \t]+\\)?task[ \t]+\\([a-zA-Z_][a-zA-Z0-9_]*\\)" 1)
                ("Steps" "^[ \t]*step[ \t]+\\([a-zA-Z_][a-zA-Z0-9_]*\\)" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.uflow\\'" . uflow-mode))

;; eglot is a part of Emacs 29 and a package of earlier ones.
(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(uflow-mode . ("uflow-lsp"))))

(provide 'uflow-mode)
;;; uflow-mode.el ends here
