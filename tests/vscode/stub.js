// SPDX-License-Identifier: MIT
/* `vscode` without VS Code: what the extension calls, with notes of the calls; and a client that talks to nobody, or
 * with the real server over pipes. */
'use strict';

const { EventEmitter: Emitter } = require('events');
const Module = require('module');
const path = require('path');
const { spawn } = require('child_process');

class Disposable {
    constructor(act = () => {}) { this.act = act; }
    dispose() { this.act(); }
}

class EventEmitter {
    constructor() {
        this.emitter = new Emitter();
        this.event = listener => {
            this.emitter.on('event', listener);
            return new Disposable(() => this.emitter.off('event', listener));
        };
    }
    fire(event) { this.emitter.emit('event', event); }
    /* Waits for what the listeners do. */
    async run(event) { for (const listener of this.emitter.listeners('event')) await listener(event); }
    dispose() { this.emitter.removeAllListeners(); }
}

class Position {
    constructor(line, character) { Object.assign(this, { line, character }); }
}

class Range {
    constructor(line, character, endLine, endCharacter) {
        this.start = new Position(line, character);
        this.end = new Position(endLine, endCharacter);
    }
}

class Uri {
    constructor(scheme, path_) { Object.assign(this, { scheme, path: path_, fsPath: path_ }); }
    static parse(text) {
        const [, scheme, rest] = /^([\w-]+):(?:\/\/)?(.*)$/.exec(text);
        return new Uri(scheme, decodeURI(rest));
    }
    static file(name) { return new Uri('file', name); }
    toString() { return `${this.scheme}:${this.scheme === 'file' ? '//' : ''}${encodeURI(this.path)}`; }
}

class Location {
    constructor(uri, range) { Object.assign(this, { uri, range }); }
}

class Diagnostic {
    constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
}

class Task {
    constructor(definition, scope, name, source, execution, problemMatchers) {
        Object.assign(this, { definition, scope, name, source, execution, problemMatchers });
    }
}

class ShellExecution {
    constructor(command, args) { Object.assign(this, { command, args }); }
}

/* A document with an editor that shows it. */
function editorOf(uri, languageId, text, line = 0, character = 0) {
    const document = { uri, languageId, fileName: uri.fsPath, version: 1, getText: () => text };
    return {
        document, selection: { active: new Position(line, character) }, decorations: [], revealed: [],
        setDecorations(type, ranges) { this.decorations = ranges; },
        revealRange(range) { this.revealed.push(range.start.line); },
    };
}

function makeVscode(manifest, folder) {
    const properties = manifest.contributes.configuration.properties;
    const settings = Object.fromEntries(Object.entries(properties).map(([name, row]) => [name, row.default]));
    const events = { selection: new EventEmitter(), change: new EventEmitter(), configuration: new EventEmitter() };
    const said = { errors: [], status: [], output: [], opened: [], debugged: [], panels: [], executed: [] };
    const commands = new Map(), providers = [], contents = new Map();
    let collection = new Map();
    const vscode = {
        Disposable, EventEmitter, Position, Range, Uri, Location, Diagnostic, Task, ShellExecution,
        ThemeColor: class { constructor(id) { this.id = id; } },
        ViewColumn: { Beside: -2, One: 1 }, TaskScope: { Workspace: 2 },
        TextEditorRevealType: { InCenterIfOutsideViewport: 2 }, DiagnosticSeverity: { Error: 0 },
        ConfigurationTarget: { Global: 1, Workspace: 2 },
        commands: {
            registerCommand(name, act) {
                if (commands.has(name)) throw new Error(`command '${name}' already exists`);
                commands.set(name, act);
                return new Disposable(() => commands.delete(name));
            },
            async executeCommand(name, ...args) {
                said.executed.push([name, ...args]);
                return commands.get(name)?.(...args);
            },
        },
        window: {
            activeTextEditor: undefined, visibleTextEditors: [],
            createTextEditorDecorationType: () => new Disposable(),
            createOutputChannel: () => ({ append: text => said.output.push(text), dispose() {} }),
            createWebviewPanel(kind, title, column, options) {
                const received = new EventEmitter(), disposed = new EventEmitter();
                const panel = {
                    kind, title, options, posted: [], receive: message => received.run(message),
                    webview: { html: '', onDidReceiveMessage: received.event,
                        postMessage: message => panel.posted.push(message) },
                    onDidDispose: disposed.event, dispose() { disposed.fire(); },
                };
                said.panels.push(panel);
                return panel;
            },
            onDidChangeTextEditorSelection: events.selection.event,
            setStatusBarMessage: text => said.status.push(text),
            async showErrorMessage(text) { said.errors.push(text); },
            async showOpenDialog() { return undefined; },
            async showTextDocument(what) {
                const uri = (what.uri ?? what).toString();
                said.opened.push(uri);
                let editor = vscode.window.visibleTextEditors.find(one => one.document.uri.toString() === uri);
                if (!editor) {
                    editor = editorOf(what.uri ?? what, 'c', '');
                    vscode.window.visibleTextEditors.push(editor);
                }
                return editor;
            },
        },
        workspace: {
            textDocuments: [], workspaceFolders: [{ uri: Uri.file(folder), name: 'w' }],
            getConfiguration: section => ({
                get(name) {
                    if (!(`${section}.${name}` in settings)) throw new Error(`no setting ${section}.${name}`);
                    return settings[`${section}.${name}`];
                },
                async update(name, value, target) {
                    settings[`${section}.${name}`] = value;
                    said.executed.push(['update', name, value, target]);
                    await events.configuration.run({ affectsConfiguration: one => one === `${section}.${name}` });
                },
            }),
            getWorkspaceFolder: uri => (uri.fsPath.startsWith(folder) ? { uri: Uri.file(folder) } : undefined),
            createFileSystemWatcher: () => new Disposable(),
            registerTextDocumentContentProvider(scheme, provider) {
                contents.set(scheme, provider);
                return new Disposable();
            },
            onDidChangeTextDocument: events.change.event,
            onDidChangeConfiguration: events.configuration.event,
            async openTextDocument(uri) {
                const provider = contents.get(uri.scheme);
                return { uri, languageId: 'c', getText: () => provider.provideTextDocumentContent(uri) };
            },
            async findFiles() { return [Uri.file(path.join(folder, 'door.uflow'))]; },
            asRelativePath: uri => path.relative(folder, uri.fsPath),
            async saveAll() { return true; },
        },
        languages: {
            createDiagnosticCollection: () => ({
                get: uri => collection.get(uri.toString()), set: (uri, list) => collection.set(uri.toString(), list),
                dispose() { collection = new Map(); },
            }),
            registerDefinitionProvider: (_, provider) => vscode.languages.register('definition', provider),
            registerReferenceProvider: (_, provider) => vscode.languages.register('references', provider),
            register(kind, provider) {
                providers.push({ kind, provider });
                return new Disposable();
            },
        },
        tasks: {
            registerTaskProvider(type, provider) { return vscode.languages.register(`task ${type}`, provider); },
        },
        debug: { async startDebugging(where, request) { said.debugged.push(request); return true; } },
    };
    return { vscode, settings, said, commands, providers, contents, events, failures: () => collection };
}

/* A client that speaks with the real server, so that what the extension asks for is what the server answers. */
class LanguageClient {
    constructor(id, name, server, options) {
        Object.assign(this, { server, options, waiting: new Map(), number: 0, input: Buffer.alloc(0), notes: [] });
    }
    start() {
        return new Promise((resolve, reject) => {
            this.child = spawn(this.server.command, this.server.args, { stdio: ['pipe', 'pipe', 'inherit'] });
            this.child.on('error', reject);
            this.child.stdout.on('data', data => this.take(data));
            this.child.on('spawn', () => {
                this.sendRequest('initialize', {
                    capabilities: {}, initializationOptions: this.options.initializationOptions, rootUri: null,
                }).then(answer => {
                    this.capabilities = answer.capabilities;
                    return this.sendNotification('initialized', {});
                }).then(resolve, reject);
            });
        });
    }
    take(data) {
        this.input = Buffer.concat([this.input, data]);
        for (;;) {
            const head = this.input.indexOf('\r\n\r\n');
            const length = head < 0 ? 0 : Number(/Content-Length: (\d+)/.exec(this.input.subarray(0, head))[1]);
            if (head < 0 || this.input.length < head + 4 + length) return;
            const message = JSON.parse(this.input.subarray(head + 4, head + 4 + length));
            this.input = this.input.subarray(head + 4 + length);
            const one = this.waiting.get(message.id);
            this.waiting.delete(message.id);
            if (!one) continue;
            if (message.error) one.reject(new Error(message.error.message));
            else one.resolve(message.result);
        }
    }
    send(message) {
        const text = JSON.stringify({ jsonrpc: '2.0', ...message });
        this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    }
    async sendNotification(method, params) {
        this.notes.push(method);
        this.send({ method, params });
    }
    sendRequest(method, params) {
        return new Promise((resolve, reject) => {
            this.waiting.set(++this.number, { resolve, reject });
            this.send({ id: this.number, method, params });
        });
    }
    async stop() {
        await this.sendRequest('shutdown', null);
        this.send({ method: 'exit' });
        await new Promise(resolve => this.child.on('exit', resolve));
    }
}

/* Loads the extension with these modules in place of VS Code's. */
function load(folder, made) {
    const known = { vscode: made.vscode, 'vscode-languageclient/node': { LanguageClient } };
    const original = Module._load;
    for (const name of Object.keys(require.cache)) if (name.startsWith(folder)) delete require.cache[name];
    Module._load = (name, ...rest) => known[name] ?? original(name, ...rest);
    try {
        return require(folder);
    } finally {
        Module._load = original;
    }
}

module.exports = { load, makeVscode, editorOf, Uri, Position };
