// SPDX-License-Identifier: MIT
/* Which program has the tests of a file: the add_uflow_tests() of a CMakeLists.txt that names it. */
'use strict';

const fs = require('fs');
const path = require('path');

const isFile = file => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

/* The words of each call in a CMakeLists.txt. */
function callsOf(text) {
    const plain = text.replace(/#.*$/gm, '');
    return [...plain.matchAll(/\badd_uflow_tests\s*\(([^)]*)\)/g)].map(([, inside]) =>
        [...inside.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare));
}

const names = ['SOURCES', 'BASE_DIR', 'OUT_DIR', 'IMPORT_DIRS', 'OPTIONS', 'LINK', 'COVERAGE'];

/* Returns {target, directory of its CMakeLists.txt}; null: there is none up to `top`. */
function findTarget(file, top) {
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
        const list = path.join(folder, 'CMakeLists.txt');
        for (const [target, ...words] of isFile(list) ? callsOf(fs.readFileSync(list, 'utf8')) : []) {
            let isSource = false;
            for (const word of words) {
                if (names.includes(word)) isSource = word === 'SOURCES';
                else if (isSource && path.resolve(folder, word.replace(/^\$\{\w*SOURCE_DIR\}/, folder)) === file) {
                    return { target, folder };
                }
            }
        }
        if (folder === top || folder === path.dirname(folder)) return null;
    }
}

/* Where the build has put the program of a target. CMake keeps the tree of the sources, unless told otherwise. */
function findProgram(build, target) {
    const waiting = [build];
    for (let folder; (folder = waiting.shift()) !== undefined;) {
        for (const entry of fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : []) {
            const at = path.join(folder, entry.name);
            if (entry.isFile() && (entry.name === target || entry.name === `${target}.exe`)) return at;
            if (entry.isDirectory() && entry.name !== 'CMakeFiles') waiting.push(at);
        }
    }
    return null;
}

module.exports = { callsOf, findTarget, findProgram };
