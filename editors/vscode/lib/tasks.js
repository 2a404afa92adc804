// SPDX-License-Identifier: MIT
/* Tasks: `ufc --check` of each file of the workspace, with its errors as problems. */
'use strict';

const vscode = require('vscode');

function checkTask(setting, definition, folder) {
    const words = ['--check', ...setting('arguments', folder?.uri), ...(definition.arguments ?? []), definition.file];
    return new vscode.Task(definition, folder ?? vscode.TaskScope.Workspace, `check ${definition.file}`, 'uflow',
        new vscode.ShellExecution(setting('ufc.path'), words), '$ufc');
}

function taskProvider(setting) {
    return {
        async provideTasks() {
            const files = await vscode.workspace.findFiles('**/*.uflow', '**/{build,build-*,node_modules}/**', 200);
            return files.map(uri => checkTask(setting,
                { type: 'uflow', file: vscode.workspace.asRelativePath(uri, false) },
                vscode.workspace.getWorkspaceFolder(uri)));
        },
        resolveTask(task) {
            const scope = typeof task.scope === 'object' ? task.scope : undefined;
            return task.definition.file ? checkTask(setting, task.definition, scope) : undefined;
        },
    };
}

module.exports = { taskProvider };
