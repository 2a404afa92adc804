// SPDX-License-Identifier: MIT
/* The unpacked archive is whole: each script loads, with the modules in it and a stand-in for `vscode` that has every
 * name. */
'use strict';

const assert = require('assert');
const Module = require('module');
const path = require('path');

const root = process.env.UFLOW_EXTENSION;

/* Whatever one asks of it: a class, a function, an object. */
function anything() {
    class Any {}
    return new Proxy(Any, {
        get: (of, name) => (name in of || typeof name === 'symbol' || name === 'prototype' ? of[name] : anything()),
        apply: () => anything(),
    });
}

const original = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? Object.assign(anything(), { version: '1.82.0' })
    : original(name, ...rest));
const extension = require(root);
assert.deepStrictEqual(Object.keys(extension).sort(), ['activate', 'deactivate']);
const client = require(path.join(root, 'node_modules/vscode-languageclient/node'));
assert.strictEqual(typeof client.LanguageClient, 'function');
