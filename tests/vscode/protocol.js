// SPDX-License-Identifier: MIT
/* uflow-lsp by a client that is not ours: the library of the protocol, which refuses what does not fit it. A row for
 * each request. */
'use strict';

const assert = require('assert');
const { spawn } = require('child_process');
const fs = require('fs');
const { pathToFileURL } = require('url');
const lsp = require('vscode-languageserver-protocol/node');

const [motor, door] = JSON.parse(process.env.UFLOW_TEXTS).map(path =>
    ({ uri: pathToFileURL(path).href, text: fs.readFileSync(path, 'utf8') }));

/* The place inside the first such words. */
function place(words, behind = 1) {
    const lines = door.text.slice(0, door.text.indexOf(words) + behind).split('\n');
    assert.ok(door.text.includes(words), words);
    return { line: lines.length - 1, character: lines.at(-1).length };
}

const range = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };
const at = (words, behind) => ({ textDocument: { uri: door.uri }, position: place(words, behind) });
const whole = { textDocument: { uri: door.uri } };

/* Each request with its parameters, and what its answer must satisfy. */
const rows = [
    [lsp.DocumentSymbolRequest, whole, list => list.every(lsp.DocumentSymbol.is) && list[0].name === 'Door'],
    [lsp.DefinitionRequest, at('Motor.Move', 7), one => lsp.Location.is(one) && one.uri === motor.uri],
    [lsp.ReferencesRequest, { ...at('task Close', 6), context: { includeDeclaration: true } },
        list => list.length === 3 && list.every(lsp.Location.is)],
    [lsp.DocumentHighlightRequest, at('-> Push', 4),
        list => list.length === 2 && list.every(one => lsp.Range.is(one.range))],
    [lsp.HoverRequest, at('step Push', 6), one => lsp.Hover.is(one) && /Reached from/.test(one.contents.value)],
    [lsp.CompletionRequest, at('flow->tries', 6), list => list.length > 3 && list.every(one => one.label && one.kind)],
    [lsp.SignatureHelpRequest, at('step Push', 6), one => one === null],
    [lsp.PrepareRenameRequest, at('step Push', 6), one => lsp.Range.is(one.range) && one.placeholder === 'Push'],
    [lsp.RenameRequest, { ...at('step Push', 6), newName: 'Press' },
        one => lsp.WorkspaceEdit.is(one) && one.changes[door.uri].length === 2],
    [lsp.DocumentFormattingRequest, { ...whole, options: { tabSize: 4, insertSpaces: true } },
        list => list.length === 0],
    [lsp.FoldingRangeRequest, whole, list => list.length > 5 && list.every(lsp.FoldingRange.is)],
    [lsp.SelectionRangeRequest, { ...whole, positions: [place('self->tries++')] },
        list => list.every(lsp.SelectionRange.is)],
    [lsp.SemanticTokensRequest, whole, one => one.data.length % 5 === 0 && one.data.every(lsp.uinteger.is)],
    [lsp.CodeActionRequest,
        { ...whole, range: { start: place('spare'), end: place('spare') }, context: { diagnostics: [] } },
        list => list.every(lsp.CodeAction.is) && list.some(one => one.title === 'Switch off -Wunused-field')],
    [lsp.CodeLensRequest, whole, list => list.every(lsp.CodeLens.is) && list.length === 7],
    [lsp.InlayHintRequest, { ...whole, range }, list => list.every(lsp.InlayHint.is) && list[0].label === 'step_ms:'],
    [lsp.CallHierarchyPrepareRequest, at('task Close', 6), list => list[0].name === 'Door.Close'],
    [lsp.ExecuteCommandRequest, { command: 'uflow.diagram', arguments: [door.uri, place('flow Door')] },
        one => one.flow === 'Door' && /^<!DOCTYPE html>/.test(one.html)],
];

async function main() {
    const server = spawn(process.env.UFLOW_LSP, ['--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const connection = lsp.createProtocolConnection(server.stdout, server.stdin);
    const diagnostics = new Promise(resolve => {
        connection.onNotification(lsp.PublishDiagnosticsNotification.type, said => {
            if (said.uri === door.uri) resolve(said);
        });
    });
    connection.listen();
    const { capabilities } = await connection.sendRequest(lsp.InitializeRequest.type, {
        processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders: null,
        initializationOptions: { clangd: [] } });
    await connection.sendNotification(lsp.InitializedNotification.type, {});
    for (const { uri, text } of [door, motor]) {
        await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type,
            { textDocument: { uri, languageId: 'uflow', version: 1, text } });
    }
    const said = await diagnostics;
    assert.ok(said.diagnostics.every(lsp.Diagnostic.is) && said.diagnostics[0].code === 'UF0805', said.uri);
    for (const [request, params, isGood] of rows) {
        const answer = await connection.sendRequest(request.type, params);
        assert.ok(isGood(answer), `${request.method}: ${JSON.stringify(answer)}`);
    }
    const [item] = await connection.sendRequest(lsp.CallHierarchyPrepareRequest.type, at('task Close', 6));
    const incoming = await connection.sendRequest(lsp.CallHierarchyIncomingCallsRequest.type, { item });
    assert.deepStrictEqual(incoming.map(one => one.from.name), ['closes', 'is wrong']);
    const outgoing = await connection.sendRequest(lsp.CallHierarchyOutgoingCallsRequest.type, { item });
    assert.deepStrictEqual(outgoing.map(one => one.to.name), ['Motor.Move', 'Door.opened']);
    const known = new Set(rows.map(([request]) => request.method));
    for (const [name, key] of [['definition', 'definitionProvider'], ['codeLens', 'codeLensProvider']]) {
        assert.ok(capabilities[key] && known.has(`textDocument/${name}`));
    }
    await connection.sendRequest(lsp.ShutdownRequest.type);
    await connection.sendNotification(lsp.ExitNotification.type);
    assert.strictEqual(await new Promise(resolve => server.on('exit', resolve)), 0);
    connection.dispose();
}

main().catch(error => {
    console.error(error);
    process.exit(1);
});
