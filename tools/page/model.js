/* The structure of the files in this page, as `ufc --emit=json` describes it. */
const model = { files: [], flows: new Map() };

function addFile(file) {
    if (model.files.some(known => known.source === file.source)) return;
    model.files.push(file);
    for (const flow of file.flows) {
        flow.file = file;
        for (const task of flow.tasks) {
            task.flow = flow;
            for (const step of task.steps) step.task = task;
        }
        model.flows.set(flow.name, flow);
    }
}

function findStep(flowName, taskName, stepName) {
    const flow = model.flows.get(flowName);
    const task = flow && flow.tasks.find(one => one.name === taskName);
    return task && task.steps.find(one => one.name === stepName);
}

const partsOf = flow => [...flow.flows, ...flow.pools].map(one => model.flows.get(one.type)).filter(Boolean);
const richestTask = flow => flow.tasks.reduce((best, task) => task.steps.length > best.steps.length ? task : best);

/* A flow; if none of its diagrams has a second step, the one of its parts with the richest diagram. */
function richestOf(root) {
    const found = new Set([root]), stepsOf = flow => richestTask(flow).steps.length;
    if (stepsOf(root) > 1) return root;
    for (const flow of found) for (const part of partsOf(flow)) found.add(part);
    return [...found].reduce((best, flow) => stepsOf(flow) > stepsOf(best) ? flow : best);
}

/* The flow that is shown first: the first one that is no part of another. */
function firstOfAll(flows) {
    const parts = new Set(flows.flatMap(partsOf)), root = flows.find(flow => !parts.has(flow)) || flows[0];
    return root && richestOf(root);
}

/* Adds what another page or a replay holds. Returns the replay, if there is one. */
function readBlocks(root) {
    let replay = null;
    for (const block of root.querySelectorAll('script[data-uflow]')) {
        const data = JSON.parse(block.textContent);
        if (block.dataset.uflow === 'file') addFile(data);
        else replay = data;
    }
    return replay;
}

/* Calls with `...list` fail for long lists: their arguments must fit on the stack. These take lists of any length. */
const least = (list, value) => list.reduce((found, one) => Math.min(found, value(one)), Infinity);
const most = (list, value) => list.reduce((found, one) => Math.max(found, value(one)), 0);

function fill(element, children) {
    element.replaceChildren();
    for (const child of children) element.append(child);
}

const baseName = path => path.slice(path.lastIndexOf('/') + 1);

/* Makes an element; `attributes` may hold listeners: { onclick: … }. */
function make(name, attributes, ...children) {
    const svg = svgNames.has(name);
    const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    fill(element, children.flat(Infinity));
    return element;
}

const svgNames = new Set(['svg', 'g', 'path', 'rect', 'text', 'tspan', 'circle', 'title', 'line']);
const byId = id => document.getElementById(id);

function say(text) {
    byId('message').textContent = text;
    byId('message').hidden = !text;
}
