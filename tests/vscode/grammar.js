// SPDX-License-Identifier: MIT
/* The colours of the grammar, by the library of VS Code, against the files in snapshots/. A line `> text` is followed
 * by a line for each piece of it: its scopes, without those that all have. UFLOW_UPDATE writes the files. */
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { createOnigScanner, createOnigString, loadWASM } = require('vscode-oniguruma');
const { INITIAL, Registry } = require('vscode-textmate');

const root = path.dirname(path.dirname(__dirname)), folder = path.join(__dirname, 'snapshots');
const files = { 'colours.uflow': path.join(folder, 'colours.uflow'), 'door.uflow': path.join(__dirname, 'door.uflow'),
    'example.uflow': path.join(root, 'examples/04_door/door.uflow') };

/* C has a grammar of its own, which comes with the editor: here it is one that colours nothing. */
const grammars = {
    'source.uflow': path.join(root, 'editors/vscode/syntaxes/uflow.tmLanguage.json'),
    'source.c': { scopeName: 'source.c', patterns: [], repository: {} },
};

async function makeRegistry() {
    const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
    await loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
    return new Registry({
        onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
        loadGrammar: async scope => {
            const known = grammars[scope];
            return typeof known === 'string' ? JSON.parse(fs.readFileSync(known, 'utf8')) : known;
        },
    });
}

function colour(grammar, text) {
    const out = [];
    let state = INITIAL;
    for (const line of text.replace(/\n$/, '').split('\n')) {
        const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, state);
        assert.ok(!stoppedEarly);
        state = ruleStack;
        out.push(`> ${line}`.trimEnd());
        for (const token of tokens) {
            const scopes = token.scopes.filter(scope => scope !== 'source.uflow').join(' ');
            const piece = line.slice(token.startIndex, token.endIndex).trim();
            if (scopes && piece) out.push(`    ${piece}  ${scopes}`);
        }
    }
    return `${out.join('\n')}\n`;
}

async function main() {
    const grammar = await (await makeRegistry()).loadGrammar('source.uflow');
    for (const [name, source] of Object.entries(files)) {
        const made = colour(grammar, fs.readFileSync(source, 'utf8')), kept = path.join(folder, `${name}.colours`);
        if (process.env.UFLOW_UPDATE) fs.writeFileSync(kept, made);
        else assert.strictEqual(made, fs.readFileSync(kept, 'utf8'), `${name}: check.py --update writes it`);
    }
}

main();
