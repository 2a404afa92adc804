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

const baseName = path => path.slice(path.lastIndexOf('/') + 1);

/* Makes an element; `attributes` may hold listeners: { onclick: … }. */
function make(name, attributes, ...children) {
    const svg = svgNames.has(name);
    const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
}

const svgNames = new Set(['svg', 'g', 'path', 'rect', 'text', 'tspan', 'circle', 'title', 'line']);
const byId = id => document.getElementById(id);

function say(text) {
    byId('message').textContent = text;
    byId('message').hidden = !text;
}
