// SPDX-License-Identifier: MIT
/* Runs in a page of `ufc --emit=html` that an editor shows: says which line the page has marked, and shows the flow
 * that the editor names. It knows only what the page is documented to have: a list of flows and the lines. */
'use strict';

function bridge() {
    const api = acquireVsCodeApi(), lines = document.getElementById('lines'), flows = document.getElementById('flows');
    let last = '';
    const look = says => {
        const here = lines.querySelector('.here'), file = document.getElementById('file').textContent;
        const now = here ? `${file}:${here.dataset.line}` : '';
        if (says && here && now !== last) api.postMessage({ file, line: Number(here.dataset.line) });
        last = now;
    };
    const observer = new MutationObserver(() => look(true));
    observer.observe(lines, { attributes: true, attributeFilter: ['class'], subtree: true, childList: true });
    addEventListener('message', event => {
        const flow = event.data.flow;
        if (!flow || flows.value === flow || ![...flows.options].some(option => option.value === flow)) return;
        flows.value = flow;
        flows.dispatchEvent(new Event('change'));
        observer.takeRecords(); // the editor is there already
        look(false);
    });
}

/* The page with the bridge behind its own script. The page has a policy that keeps it from the network. */
function withBridge(html) {
    const end = html.lastIndexOf('</body>'), script = `<script>(${bridge})();</script>\n`;
    return end < 0 ? html + script : html.slice(0, end) + script + html.slice(end);
}

module.exports = { withBridge };
