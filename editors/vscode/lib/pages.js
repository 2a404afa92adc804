// SPDX-License-Identifier: MIT
/* The page of a file and its replay beside the source, and the C that ufc writes. */
'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { promisify } = require('util');
const vscode = require('vscode');

const { withBridge } = require('./bridge');

const run = promisify(execFile);
const scheme = 'uflow-c';

function activeEditor() {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.document.languageId !== 'uflow') throw new Error('open a .uflow file first');
    return editor;
}

const place = at => ({ line: at.line, character: at.character });

class Pages {
    constructor(ask, setting) {
        this.ask = ask;
        this.setting = setting;
        this.diagrams = new Map(); // by URI: the panel
        this.written = new Map(); // by URI of the C: what the server has said
        this.changed = new vscode.EventEmitter();
        this.marked = vscode.window.createTextEditorDecorationType({
            isWholeLine: true, backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
        });
        this.kept = [
            this.changed, this.marked,
            vscode.workspace.registerTextDocumentContentProvider(scheme, {
                onDidChange: this.changed.event,
                provideTextDocumentContent: uri => this.written.get(uri.toString())?.text ?? '',
            }),
            vscode.window.onDidChangeTextEditorSelection(event => this.follow(event)),
            vscode.workspace.onDidChangeTextDocument(event => this.refreshSoon(event.document)),
        ];
    }

    dispose() {
        clearTimeout(this.timer);
        for (const one of this.kept) one.dispose();
        for (const panel of this.diagrams.values()) panel.dispose();
    }

    /* -- the diagram ------------------------------------------------------------------------------------------- */

    panelFor(title, folder) {
        const panel = vscode.window.createWebviewPanel('uflow.page', title,
            { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
            { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] });
        panel.webview.onDidReceiveMessage(message => this.reveal(folder, message));
        return panel;
    }

    async showDiagram() {
        const { document, selection } = activeEditor(), uri = document.uri.toString();
        const answer = await this.ask('uflow.diagram', uri, place(selection.active));
        let panel = this.diagrams.get(uri);
        if (!panel) {
            panel = this.panelFor(`${path.basename(document.fileName)}: diagram`, path.dirname(document.fileName));
            this.diagrams.set(uri, panel);
            panel.onDidDispose(() => this.diagrams.delete(uri));
        }
        this.fill(panel, answer);
        return panel;
    }

    /* The page is written anew only if the file has become another one: else its view would jump. */
    fill(panel, answer) {
        if (panel.shown !== answer.html) panel.webview.html = withBridge(answer.html);
        panel.shown = answer.html;
        panel.flow = answer.flow;
        if (answer.flow) panel.webview.postMessage({ flow: answer.flow });
    }

    async refresh(editor) {
        const uri = editor.document.uri.toString(), panel = this.diagrams.get(uri);
        if (!panel) return;
        this.fill(panel, await this.ask('uflow.diagram', uri, place(editor.selection.active)));
    }

    refreshSoon(document) {
        const editor = vscode.window.activeTextEditor, uri = document.uri.toString();
        if (!editor || editor.document !== document) return;
        if (!this.diagrams.has(uri) && !this.written.has(this.nameOfC(document).toString())) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            this.refresh(editor).catch(() => {}); // the file may have errors now
            this.refreshC(document).catch(() => {});
        }, 300);
    }

    /* The cursor has moved: the page shows its flow, the C its line. */
    follow(event) {
        const { document } = event.textEditor;
        if (document.uri.scheme === scheme) return this.followC(event.textEditor);
        if (document.languageId !== 'uflow') return undefined;
        this.markC(event.textEditor);
        return this.refresh(event.textEditor).catch(() => {});
    }

    /* The page has marked a line: the source shows it. */
    async reveal(folder, message) {
        if (typeof message?.file !== 'string' || !Number.isInteger(message.line)) return;
        const known = vscode.workspace.textDocuments.find(document =>
            document.languageId === 'uflow' && path.basename(document.fileName) === path.basename(message.file));
        const file = path.resolve(folder, message.file);
        if (!known && !(file.endsWith('.uflow') && fs.existsSync(file))) return;
        const editor = await vscode.window.showTextDocument(known ?? vscode.Uri.file(file),
            { viewColumn: vscode.ViewColumn.One, preserveFocus: true });
        this.mark(editor, message.line - 1);
    }

    mark(editor, line) {
        const range = new vscode.Range(line, 0, line, 0);
        editor.setDecorations(this.marked, [range]);
        editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }

    /* -- the C ------------------------------------------------------------------------------------------------- */

    nameOfC(document) {
        return vscode.Uri.parse(`${scheme}:${encodeURI(document.uri.path.replace(/\.uflow$/, ''))}.c`);
    }

    async refreshC(document) {
        const name = this.nameOfC(document);
        if (!this.written.has(name.toString())) return;
        this.written.set(name.toString(), {
            ...await this.ask('uflow.generatedC', document.uri.toString()), from: document.uri.toString(),
        });
        this.changed.fire(name);
    }

    async showC() {
        const editor = activeEditor(), name = this.nameOfC(editor.document);
        this.written.set(name.toString(), {});
        await this.refreshC(editor.document);
        const shown = await vscode.workspace.openTextDocument(name);
        await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
        this.markC(editor);
    }

    editorOf(uri) {
        return vscode.window.visibleTextEditors.find(editor => editor.document.uri.toString() === uri);
    }

    markC(editor) {
        const name = this.nameOfC(editor.document).toString(), c = this.editorOf(name);
        const line = editor.selection.active.line + 1;
        const pair = c && this.written.get(name)?.places?.find(([, from]) => from === line);
        if (pair) this.mark(c, pair[0] - 1);
    }

    followC(editor) {
        const written = this.written.get(editor.document.uri.toString());
        const pair = written?.places?.find(([c]) => c === editor.selection.active.line + 1);
        const source = pair && this.editorOf(written.from);
        if (source) this.mark(source, pair[1] - 1);
    }

    /* -- a replay ---------------------------------------------------------------------------------------------- */

    /* The pages of the file and of the files that it imports, each once. */
    async writePages(file, folder, pages) {
        if (pages.has(file)) return;
        const page = path.join(folder, `${pages.size}.html`);
        pages.set(file, page);
        await run(this.setting('ufc.path'), ['--emit=html', file, '-o', page]);
        const text = await fs.promises.readFile(file, 'utf8');
        for (const [, name] of text.matchAll(/^\s*import\s+"([^"]+)"/gm)) {
            const imported = path.resolve(path.dirname(file), name);
            if (fs.existsSync(imported)) await this.writePages(imported, folder, pages);
        }
    }

    async showReplay(file) {
        const { document } = activeEditor();
        const picked = file ??
            (await vscode.window.showOpenDialog({ title: 'A recording', canSelectMany: false }))?.[0];
        if (!picked) return undefined;
        const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'uflow-'));
        try {
            const pages = new Map(), made = path.join(folder, 'replay.html');
            await this.writePages(document.fileName, folder, pages);
            await run(this.setting('trace.path'),
                [...[...pages.values()].map(page => `--page=${page}`), picked.fsPath, '-o', made]);
            const panel = this.panelFor(`${path.basename(picked.fsPath)}: replay`, path.dirname(document.fileName));
            panel.webview.html = withBridge(await fs.promises.readFile(made, 'utf8'));
            return panel;
        } finally {
            await fs.promises.rm(folder, { recursive: true, force: true });
        }
    }
}

module.exports = { Pages };
