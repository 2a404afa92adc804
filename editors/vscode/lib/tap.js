// SPDX-License-Identifier: MIT
/* TAP version 14, as the program of uflow's tests prints it. */
'use strict';

/* The value of a key in the block of a result: a text in quotes, a list of such, or plain words. */
function value(text) {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

/* Returns the results: {name, ok, at: {file, line}, message, and the other keys of the report}. */
function parse(text) {
    const results = [];
    let key = null, block = false;
    for (const line of text.split('\n')) {
        const head = /^(not )?ok \d+ - (.*?)(?: # (.*))?$/.exec(line);
        const last = results[results.length - 1];
        if (head) {
            results.push({ ok: !head[1], name: head[2].replace(/\\([#\\])/g, '$1'), note: head[3] ?? '' });
        } else if (line === '  ---' && last) {
            block = true;
        } else if (line === '  ...') {
            block = false;
        } else if (block) {
            const row = /^ {2}(\w+): ?(.*)$/.exec(line);
            if (row) last[key = row[1]] = row[2];
            else if (key) last[key] += `\n${line.trim()}`;
        }
    }
    for (const result of results) {
        for (const [name, text_] of Object.entries(result)) {
            if (!['ok', 'name', 'note'].includes(name)) result[name] = value(text_);
        }
        const at = /^(.*):(\d+)$/.exec(result.at ?? '');
        if (at) result.at = { file: at[1], line: Number(at[2]) };
    }
    return results;
}

module.exports = { parse };
