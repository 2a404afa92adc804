// SPDX-License-Identifier: MIT
/* What the words above a test do: run, debug, explore. A failure is a diagnostic at its place. */
'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const path = require('path');
const vscode = require('vscode');

const { findProgram, findTarget } = require('./programs');
const { parse } = require('./tap');

/* Runs a program. Returns what it has printed; `status` is -1 if it did not start. */
function run(command, args, folder) {
    return new Promise(resolve => {
        execFile(command, args, { cwd: folder, maxBuffer: 64 << 20 }, (error, output, errors) => resolve({
            status: error ? typeof error.code === 'number' ? error.code : -1 : 0, output,
            errors: errors || (error && typeof error.code !== 'number' ? error.message : ''),
        }));
    });
}

/* A failure in words, with what repeats it. */
function describe(result) {
    const lines = [result.message ?? 'failed'];
    for (const key of ['time', 'schedule', 'disturbances', 'history', 'waits', 'output', 'replay']) {
        const value = result[key];
        if (value === undefined || value === '') continue;
        lines.push(`${key}: ${Array.isArray(value) ? value.join('\n    ') : value}`);
    }
    return lines.join('\n');
}

class Tests {
    constructor(setting) {
        this.setting = setting;
        this.found = vscode.languages.createDiagnosticCollection('uflow tests');
        this.output = vscode.window.createOutputChannel('uflow tests');
    }

    dispose() {
        this.found.dispose();
        this.output.dispose();
    }

    /* Builds the program of a file's tests. Returns its path, and the folder in which it runs. */
    async program(uri) {
        const top = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
        const given = this.setting('test.program', uri), command = this.setting('test.build', uri);
        const target = given ? null : findTarget(uri.fsPath, top);
        const build = path.resolve(top, this.setting('build.directory', uri));
        if (!given && !target) {
            throw new Error(`no add_uflow_tests() names ${path.basename(uri.fsPath)}; ` +
                'set uflow.test.program to the program of its tests');
        }
        if (target && !command.length && !fs.existsSync(path.join(build, 'CMakeCache.txt'))) {
            throw new Error(`there is no CMake build in ${build}: configure it with "cmake -B ${build}", ` +
                'or set uflow.build.directory');
        }
        const words = command.length ? command : target ? ['cmake', '--build', build, '--target', target.target] : [];
        if (words.length) {
            const built = await run(words[0], words.slice(1), top);
            if (built.status !== 0) {
                this.say(`${words.join(' ')}\n${built.output}${built.errors}`);
                throw new Error('the program of the tests cannot be built; see the output "uflow tests"');
            }
        }
        const program = given ? path.resolve(top, given) : findProgram(build, target.target);
        if (!program) throw new Error(`there is no program ${target.target} in ${build}`);
        return { program, top };
    }

    say(text) {
        this.output.append(text.endsWith('\n') ? text : `${text}\n`);
    }

    /* The name of the file in the program, which may be a path of the build: as --list prints it. */
    async place(program, top, uri, line, name) {
        const { output, status, errors } = await run(program, ['--list'], top);
        const rows = output.split('\n').map(row => /^(.*):(\d+) (.*)$/.exec(row)).filter(Boolean);
        const own = rows.filter(([, file]) => path.basename(file) === path.basename(uri.fsPath));
        const row = own.find(([, , at, title]) => title === name && Number(at) === line) ??
            own.find(([, , , title]) => title === name);
        if (!row) {
            throw new Error(status === 0 ? `${path.basename(program)} has no test "${name}": is it built anew?`
                : `${program} does not run: ${errors}`);
        }
        return `${row[1]}:${row[2]}`;
    }

    async run(address, line, name, how) {
        const uri = vscode.Uri.parse(address);
        await vscode.workspace.saveAll(false);
        const { program, top } = await this.program(uri);
        const only = await this.place(program, top, uri, line, name);
        if (how === 'debug') return this.debug(uri, program, top, only);
        const more = how === 'explore' ? ['--schedules', String(this.setting('test.schedules', uri))] : [];
        const done = await run(program, ['--only', only, ...more], top);
        this.say(`${program} --only ${only} ${more.join(' ')}\n${done.output}${done.errors}`);
        const results = parse(done.output);
        if (!results.length) throw new Error(`${path.basename(program)} has said nothing: ${done.errors}`);
        this.show(uri, line, name, results[0]);
        return results[0];
    }

    show(uri, line, name, result) {
        const others = (this.found.get(uri) ?? []).filter(one => one.code !== name);
        if (result.ok) {
            this.found.set(uri, others);
            vscode.window.setStatusBarMessage(`$(pass) ${name}: ${result.note}`, 8000);
            return;
        }
        const isHere = result.at && path.basename(result.at.file) === path.basename(uri.fsPath);
        const at = (isHere ? result.at.line : line) - 1;
        const one = new vscode.Diagnostic(new vscode.Range(at, 0, at, 1000), describe(result),
            vscode.DiagnosticSeverity.Error);
        one.source = 'uflow test';
        one.code = name;
        this.found.set(uri, [...others, one]);
        vscode.window.setStatusBarMessage(`$(error) ${name}: ${result.message ?? 'failed'}`, 8000);
    }

    debug(uri, program, top, only) {
        const type = this.setting('test.debugger', uri), args = ['--in-process', '--only', only];
        const request = { type, request: 'launch', name: `test ${only}`, program, args, cwd: top };
        if (type === 'gdb') Object.assign(request, { target: program, arguments: args.join(' ') });
        if (type === 'cppdbg') Object.assign(request, { MIMode: 'gdb' });
        return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), request);
    }
}

module.exports = { Tests, describe };
