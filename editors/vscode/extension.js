// SPDX-License-Identifier: MIT
/* The extension: starts uflow-lsp, and adds what an editor shows besides: pages, tests, tasks. */
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const { registerNames } = require('./lib/csources');
const { Pages } = require('./lib/pages');
const { taskProvider } = require('./lib/tasks');
const { Tests } = require('./lib/testing');

let client = null;

const setting = (name, scope) => vscode.workspace.getConfiguration('uflow', scope).get(name);

/* The options of the client, and what it tells the server. Our commands have the names of
 * those of the server, and call them. */
function clientOptions() {
    return {
        documentSelector: [{ language: 'uflow' }],
        synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{uflow,c,h}') },
        initializationOptions: {
            arguments: setting('arguments'),
            clangd: setting('clangd.command'),
            ...(setting('errors') ? { errors: setting('errors') } : {}),
            ownsCommands: true,
        },
    };
}

async function start() {
    const command = setting('server.path');
    client = new LanguageClient('uflow', 'uflow', { command, args: [] }, clientOptions());
    try {
        await client.start();
    } catch (error) {
        client = null;
        const choice = await vscode.window.showErrorMessage(
            `uflow: ${command} does not start: ${error.message}. Install the package ufc, or name the program.`,
            'Open the setting');
        if (choice) await vscode.commands.executeCommand('workbench.action.openSettings', 'uflow.server.path');
    }
}

async function stop() {
    const old = client;
    client = null;
    if (old) await old.stop().catch(() => {});
}

async function restart() {
    await stop();
    await start();
}

/* Asks the server for one of its commands. */
async function ask(command, ...args) {
    if (!client) throw new Error('the language server does not run');
    return client.sendRequest('workspace/executeCommand', { command, arguments: args });
}

/* "Switch off -WNAME": kept in the settings of the workspace, with which the server starts again. */
async function switchOff(uri, name) {
    const where = vscode.Uri.parse(uri), list = setting('arguments', where);
    await vscode.workspace.getConfiguration('uflow', where).update('arguments', [...list, `-Wno-${name}`],
        vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/* An error of a command is a message, and not a stack. */
function register(context, name, act) {
    context.subscriptions.push(vscode.commands.registerCommand(name, async (...args) => {
        try {
            return await act(...args);
        } catch (error) {
            await vscode.window.showErrorMessage(`uflow: ${error.message}`);
            return undefined;
        }
    }));
}

async function activate(context) {
    const pages = new Pages(ask, setting), tests = new Tests(setting);
    context.subscriptions.push(pages, tests);
    register(context, 'uflow.diagram', () => pages.showDiagram());
    register(context, 'uflow.generatedC', () => pages.showC());
    register(context, 'uflow.replay', file => pages.showReplay(file));
    register(context, 'uflow.runTest', (uri, line, name, how) => tests.run(uri, line, name, how));
    register(context, 'uflow.switchOff', switchOff);
    register(context, 'uflow.restart', restart);
    context.subscriptions.push(
        vscode.tasks.registerTaskProvider('uflow', taskProvider(setting)),
        ...registerNames(() => client),
        vscode.workspace.onDidChangeConfiguration(event => {
            const needed = ['arguments', 'clangd', 'errors', 'server'];
            if (needed.some(name => event.affectsConfiguration(`uflow.${name}`))) return restart();
            return undefined;
        }));
    await start();
    return { client: () => client, stop };
}

module.exports = { activate, deactivate: stop };
