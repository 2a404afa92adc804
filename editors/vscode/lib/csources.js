// SPDX-License-Identifier: MIT
/* From names in C sources, such as Door_start_Close in main.c, to the flows. C belongs to another extension, so the
 * server is not one for C: it gets such a text only for the time of a question. */
'use strict';

const vscode = require('vscode');

async function askAbout(client, document, method, position, more) {
    const uri = document.uri.toString(), textDocument = { uri };
    await client.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'c', version: document.version, text: document.getText() },
    });
    try {
        return await client.sendRequest(method, {
            textDocument, position: { line: position.line, character: position.character }, ...more,
        });
    } finally {
        await client.sendNotification('textDocument/didClose', { textDocument });
    }
}

function location(place) {
    const { start, end } = place.range;
    return new vscode.Location(vscode.Uri.parse(place.uri),
        new vscode.Range(start.line, start.character, end.line, end.character));
}

async function places(current, document, method, position, more) {
    const client = current();
    if (!client) return [];
    const answer = await askAbout(client, document, method, position, more);
    return (Array.isArray(answer) ? answer : answer ? [answer] : []).map(location);
}

function registerNames(current) {
    const selector = [{ language: 'c', scheme: 'file' }, { language: 'cpp', scheme: 'file' }];
    return [
        vscode.languages.registerDefinitionProvider(selector, {
            provideDefinition: (document, position) =>
                places(current, document, 'textDocument/definition', position, {}),
        }),
        vscode.languages.registerReferenceProvider(selector, {
            provideReferences: (document, position, context) => places(current, document, 'textDocument/references',
                position, { context: { includeDeclaration: context.includeDeclaration } }),
        }),
    ];
}

module.exports = { registerNames };
