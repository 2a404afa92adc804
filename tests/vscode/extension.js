// SPDX-License-Identifier: MIT
/* The extension under Node: its commands, with the real server, programs of tests and recordings, and a stub of VS
 * Code. The environment names the folder, the programs, and what could be built. */
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { after, before, beforeEach, test } = require('node:test');

const { load, makeVscode, editorOf, Uri, Position } = require('./stub');

const root = process.env.UFLOW_EXTENSION, work = process.env.UFLOW_WORK;
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const source = path.join(work, 'door.uflow'), text = fs.readFileSync(source, 'utf8');
const lineOf = words => text.slice(0, text.indexOf(words)).split('\n').length; // from 1
const isThere = Boolean(process.env.UFLOW_PROGRAM);

let made, api, context;

async function open(settings = {}) {
    made = makeVscode(manifest, work);
    Object.assign(made.settings, { 'uflow.server.path': process.env.UFLOW_LSP, 'uflow.clangd.command': [],
        'uflow.ufc.path': process.env.UFC, 'uflow.trace.path': process.env.UFLOW_TRACE ?? '',
        'uflow.test.program': process.env.UFLOW_PROGRAM ?? '', ...settings });
    context = { subscriptions: [] };
    api = await load(root, made).activate(context);
}

/* Opens the door in the editor and in the server. */
async function openDoor(content = text) {
    const editor = editorOf(Uri.file(source), 'uflow', content, lineOf('step Push') - 1, 13);
    made.vscode.window.activeTextEditor = editor;
    made.vscode.window.visibleTextEditors = [editor];
    made.vscode.workspace.textDocuments = [editor.document];
    await api.client().sendNotification('textDocument/didOpen', { textDocument: {
        uri: editor.document.uri.toString(), languageId: 'uflow', version: 1, text: content } });
    return editor;
}

const call = (name, ...args) => made.vscode.commands.executeCommand(name, ...args);

before(() => open());
beforeEach(async () => {
    await close();
    await open();
});

async function close() {
    for (const one of context.subscriptions) one.dispose();
    await api.stop();
}
after(close);

test('each command of the manifest is there, and each command of the server', () => {
    for (const { command } of manifest.contributes.commands) assert.ok(made.commands.has(command), command);
    for (const command of ['uflow.runTest', 'uflow.switchOff']) assert.ok(made.commands.has(command));
    assert.strictEqual(api.client().capabilities.executeCommandProvider, undefined);
});

test('a server that does not start is a message with a way out', async () => {
    await close();
    await open({ 'uflow.server.path': '/nowhere/uflow-lsp' });
    assert.match(made.said.errors[0], /\/nowhere\/uflow-lsp does not start/);
    await call('uflow.diagram');
    assert.match(made.said.errors[1], /open a .uflow file/);
    await call('uflow.restart');
    assert.strictEqual(made.said.errors.length, 3);
});

test('the diagram is the page of ufc, and follows the cursor', async () => {
    const editor = await openDoor(), panel = await call('uflow.diagram');
    const page = fs.readFileSync(path.join(work, 'door.html'), 'utf8');
    assert.ok(panel.webview.html.startsWith(page.slice(0, page.lastIndexOf('</body>'))));
    assert.match(panel.webview.html, /acquireVsCodeApi/);
    assert.deepStrictEqual(panel.posted, [{ flow: 'Door' }]);
    editor.selection.active = new Position(lineOf('flow Lamp') - 1, 6);
    await made.events.selection.run({ textEditor: editor });
    assert.deepStrictEqual(panel.posted[1], { flow: 'Lamp' });
    assert.strictEqual(await call('uflow.diagram'), panel);
    await panel.receive({ file: 'door.uflow', line: 7 });
    assert.deepStrictEqual([editor.revealed.at(-1), editor.decorations[0].start.line], [6, 6]);
    for (const wrong of [{ file: '/etc/passwd', line: 1 }, { file: 3, line: 1 }, { file: 'x.uflow', line: 1 }, null]) {
        await panel.receive(wrong);
    }
    assert.strictEqual(made.said.opened.length, 1);
    panel.dispose();
    assert.notStrictEqual(await call('uflow.diagram'), panel);
});

test('the generated C is beside the source, with linked cursors', async () => {
    const editor = await openDoor();
    editor.selection.active = new Position(lineOf('self->tries++') - 1, 0);
    await call('uflow.generatedC');
    const c = made.vscode.window.visibleTextEditors[1], name = c.document.uri.toString();
    assert.match(name, /^uflow-c:.*door\.c$/);
    const shown = made.contents.get('uflow-c').provideTextDocumentContent(c.document.uri).split('\n');
    assert.match(shown[c.revealed[0]], /self->tries\+\+/);
    c.selection.active = new Position(c.revealed[0], 0);
    await made.events.selection.run({ textEditor: c });
    assert.strictEqual(editor.revealed.at(-1), lineOf('self->tries++') - 1);
});

test('names in C lead to the flows', async () => {
    await openDoor();
    const main = '#include "door.h"\nvoid f(Door *d) { (void)Door_start_Close(d); }\n';
    const { document } = editorOf(Uri.file(path.join(work, 'main.c')), 'c', main);
    const definition = made.providers.find(one => one.kind === 'definition').provider;
    const [place] = await definition.provideDefinition(document, new Position(1, 38));
    assert.strictEqual(place.uri.fsPath, source);
    assert.strictEqual(place.range.start.line + 1, lineOf('task Close'));
    const references = made.providers.find(one => one.kind === 'references').provider;
    const found = await references.provideReferences(document, new Position(1, 38), { includeDeclaration: true });
    assert.deepStrictEqual(found.map(one => path.basename(one.uri.fsPath)).sort(),
        ['door.uflow', 'door.uflow', 'door.uflow', 'main.c']);
    assert.deepStrictEqual(await definition.provideDefinition(document, new Position(0, 1)), []);
});

test('a warning that is switched off is a setting', async () => {
    await openDoor();
    const old = api.client();
    await call('uflow.switchOff', Uri.file(source).toString(), 'unused-field');
    assert.deepStrictEqual(made.settings['uflow.arguments'], ['-Wno-unused-field']);
    assert.notStrictEqual(api.client(), old);
    assert.deepStrictEqual(api.client().options.initializationOptions.arguments, ['-Wno-unused-field']);
});

test('tasks check files', async () => {
    const { provider } = made.providers.find(one => one.kind === 'task uflow');
    const [task] = await provider.provideTasks();
    assert.deepStrictEqual([task.execution.command, task.execution.args, task.problemMatchers],
        [process.env.UFC, ['--check', 'door.uflow'], '$ufc']);
    const own = provider.resolveTask({ definition: { type: 'uflow', file: 'a.uflow', arguments: ['-Werror'] } });
    assert.deepStrictEqual(own.execution.args, ['--check', '-Werror', 'a.uflow']);
    assert.strictEqual(provider.resolveTask({ definition: { type: 'uflow' } }), undefined);
});

test('run, debug and explore a test', { skip: !isThere && 'no program of tests' }, async () => {
    await openDoor();
    const uri = Uri.file(source).toString();
    const lenses = await api.client().sendRequest('textDocument/codeLens', { textDocument: { uri } });
    const of = (title, how) => lenses.map(lens => lens.command).find(command =>
        command.arguments[2] === title && command.arguments[3] === how);
    const run = command => call(command.command, ...command.arguments);
    assert.strictEqual((await run(of('closes', 'run'))).ok, true);
    assert.match(made.said.status[0], /closes: time/);
    const result = await run(of('is wrong', 'run'));
    assert.deepStrictEqual(result.at.line, lineOf('expect(flow->door.tries == 7)'));
    const [failure] = made.failures().get(uri);
    assert.strictEqual(failure.range.start.line + 1, lineOf('expect(flow->door.tries == 7)'));
    assert.match(failure.message, /expected flow->door.tries == 7.*\n(.*\n)*replay: /);
    assert.strictEqual((await run(of('closes', 'run'))).ok, true);
    assert.strictEqual(made.failures().get(uri).length, 1); // that of the other test
    const explored = await run(of('races', 'explore'));
    assert.strictEqual(explored.ok, false);
    assert.match(made.failures().get(uri)[1].message, /schedule: /);
    assert.match(made.said.output.at(-1), /--schedules 1000/);
    await run(of('is wrong', 'debug'));
    assert.deepStrictEqual([made.said.debugged[0].type, made.said.debugged[0].args.slice(0, 2)],
        ['cppdbg', ['--in-process', '--only']]);
    await call('uflow.runTest', uri, 1, 'no such test', 'run');
    assert.match(made.said.errors.at(-1), /has no test "no such test"/);
    made.settings['uflow.test.build'] = ['false'];
    await call('uflow.runTest', uri, 1, 'closes', 'run');
    assert.match(made.said.errors.at(-1), /cannot be built/);
});

test('the program is that of CMake', async () => {
    const { callsOf, findTarget, findProgram } = require(path.join(root, 'lib/programs'));
    const list = '# add_uflow_tests(no SOURCES x)\nadd_uflow_tests(a SOURCES "b c.uflow" # x\n d.uflow)';
    assert.deepStrictEqual(callsOf(list),
        [['a', 'SOURCES', 'b c.uflow', 'd.uflow']]);
    const folder = path.join(work, 'cmake'), inner = path.join(folder, 'sub'), build = path.join(folder, 'build');
    fs.mkdirSync(path.join(build, 'sub/CMakeFiles/tests.dir'), { recursive: true });
    fs.mkdirSync(inner, { recursive: true });
    fs.writeFileSync(path.join(folder, 'CMakeLists.txt'),
        'add_uflow_tests(other SOURCES other.uflow)\n' +
        'add_uflow_tests(tests SOURCES sub/a.uflow ${CMAKE_CURRENT_SOURCE_DIR}/b.uflow OPTIONS c.uflow)\n');
    assert.deepStrictEqual(findTarget(path.join(inner, 'a.uflow'), folder), { target: 'tests', folder });
    assert.deepStrictEqual(findTarget(path.join(folder, 'b.uflow'), folder), { target: 'tests', folder });
    assert.strictEqual(findTarget(path.join(folder, 'c.uflow'), folder), null);
    assert.strictEqual(findProgram(build, 'tests'), null);
    fs.writeFileSync(path.join(build, 'sub/CMakeFiles/tests'), '');
    fs.writeFileSync(path.join(build, 'sub/tests'), '');
    assert.strictEqual(findProgram(build, 'tests'), path.join(build, 'sub/tests'));
    made.settings['uflow.test.program'] = '';
    await call('uflow.runTest', Uri.file(path.join(work, 'door.uflow')).toString(), 1, 'closes', 'run');
    assert.match(made.said.errors.at(-1), /no add_uflow_tests\(\) names door.uflow/);
    await call('uflow.runTest', Uri.file(path.join(inner, 'a.uflow')).toString(), 1, 'closes', 'run');
    assert.match(made.said.errors.at(-1), /no CMake build in .*build: configure it.*uflow.build.directory/);
});

test('reports of tests', () => {
    const { parse } = require(path.join(root, 'lib/tap'));
    const results = parse(['TAP version 14', '1..3', 'ok 1 - a \\# b # time 0.1 ms, 1 schedule', 'not ok 2 - c',
        '  ---',
        '  at: dir/x.uflow:12', '  message: "expected \\"a\\""', '  history: ["1 s a",', '            "2 s b"]',
        '  time: 1.5 s', '  ...', 'not ok 3 - d', '# 1 passed, 2 failed'].join('\n'));
    assert.deepStrictEqual(results, [
        { ok: true, name: 'a # b', note: 'time 0.1 ms, 1 schedule' },
        { ok: false, name: 'c', note: '', at: { file: 'dir/x.uflow', line: 12 }, message: 'expected "a"',
            history: ['1 s a', '2 s b'], time: '1.5 s' },
        { ok: false, name: 'd', note: '' }]);
});

const withoutRecording = !process.env.UFLOW_RECORDING && 'no recording';
test('a recording is replayed beside the source', { skip: withoutRecording }, async () => {
    await openDoor();
    const panel = await call('uflow.replay', Uri.file(process.env.UFLOW_RECORDING));
    assert.match(panel.title, /replay$/);
    assert.match(panel.webview.html, /data-uflow="replay"/);
    assert.match(panel.webview.html, /acquireVsCodeApi/);
    await call('uflow.replay', Uri.file(source));
    assert.match(made.said.errors.at(-1), /uflow-trace/);
});
