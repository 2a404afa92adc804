/* The diagrams of a flow: one SVG per task. A node lists what does not lead to another step: ends, loops, become.
 * Arms with the same source and target share an edge. A handler that leads to a step is a node, too. */
const metrics = { line: 18, pad: 9, most: 44, title: 26, top: 26 };

/* What is drawn of a flow at most: parts of layouts, rows and arms together, and points of lines. */
const drawable = { parts: 25000, points: 200000 };

const glyphs = { done: '✓ done', fail: '✕ fail', loop: '↻', become: '⇒' };

const measure = (() => {
    const canvas = document.createElement('canvas').getContext('2d');
    return (text, bold) => {
        canvas.font = `${bold ? '600 13px' : '12px'} ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
        return canvas.measureText(text).width;
    };
})();

const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;
const handlerLabel = handler => handler.on !== undefined ? `on ${handler.on}` : `with ${handler.with}`;

/* A row of a node: what ends, loops or becomes. */
function rowOf(edge, step) {
    const onward = edge.become ? `${glyphs.become} ${edge.become}` : glyphs.loop;
    const target = edge.end ? glyphs[edge.end] || edge.end : onward;
    const label = cut(edge.label || (edge.on === 'next' ? '' : edge.on) || '', metrics.most);
    return { edge, step, label, target, kind: edge.end || (edge.become ? 'become' : 'loop') };
}

function nodeOf(name, rows, extra) {
    const widths = rows.map(row => measure(row.label) + measure(row.target) + (row.label ? 18 : 0));
    const width = Math.max(measure(name, true) + 14, most(widths, one => one), 64) + 2 * metrics.pad;
    const height = metrics.title + (rows.length ? rows.length * metrics.line + 6 : 0);
    return { name, rows, width, height, ...extra };
}

function graphOf(task) {
    const steps = new Map(task.steps.map((step, i) => [step.name, i]));
    const joined = new Map();
    const link = (from, edge) => {
        const to = steps.get(edge.step), key = `${from} ${to}`;
        if (!joined.has(key)) joined.set(key, { from, to, arms: [] });
        joined.get(key).arms.push(edge);
    };
    const nodes = task.steps.map((step, i) => {
        const rows = step.edges.filter(edge => edge.step === undefined || edge.step === step.name);
        for (const edge of step.edges) if (edge.step !== undefined && edge.step !== step.name) link(i, edge);
        return nodeOf(step.name, rows.map(edge => rowOf(edge, step)), { step });
    });
    for (const handler of task.preempts) {
        if (handler.step === undefined) continue;
        link(nodes.length, { ...handler, label: '' });
        nodes.push(nodeOf(handlerLabel(handler), [], { handler }));
    }
    const edges = [...joined.values()].map(edge => {
        const labels = edge.arms.map(arm => cut(arm.label, metrics.most));
        const said = labels.some(label => label);
        const width = said ? most(labels, label => measure(label)) + 10 : 0;
        return { ...edge, labels, width, height: said ? labels.length * 16 + 4 : 0 };
    });
    return { nodes, edges };
}

/* -- drawing ------------------------------------------------------------------------------------------------------- */

function button(attributes, act, ...children) {
    const pressed = event => {
        if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        act();
    };
    return make('g', { tabindex: 0, role: 'button', onclick: pressed, onkeydown: pressed, ...attributes }, children);
}

function drawRow(row, node, y, file) {
    const words = `${row.edge.label || row.edge.on || ''} → ${row.target}, line ${row.edge.line}`;
    const show = () => showLines(file, row.edge.line, row.edge.line);
    return button({ class: `row ${row.kind}`, 'aria-label': words }, show, make('title', {}, words),
        make('rect', { x: 1, y, width: node.width - 2, height: metrics.line }),
        make('text', { x: metrics.pad, y: y + 13 }, row.label),
        make('text', { x: node.width - metrics.pad, y: y + 13, 'text-anchor': 'end', class: 'target' }, row.target));
}

function drawNode(node, file) {
    const about = node.step || node.handler, last = about.last_line || about.line;
    const left = node.x - node.width / 2;
    const rows = node.rows.map((row, i) => drawRow(row, node, metrics.title + 2 + i * metrics.line, file));
    const group = button({
        class: node.step ? 'step' : 'handler',
        transform: `translate(${round(left)} ${round(node.y)})`,
        'data-line': about.line,
        'aria-label': `${node.step ? 'step' : 'handler'} ${node.name}, line ${about.line}`,
    }, () => showLines(file, about.line, last),
        make('rect', { class: 'box', width: round(node.width), height: node.height, rx: 7 }),
        make('text', { class: 'name', x: round(node.width / 2), y: 17.5, 'text-anchor': 'middle' }, node.name),
        rows);
    return { group, rows };
}

function drawEdge(edge, nodes, file) {
    const up = edge.path.up, [x, y] = edge.path.end;
    const tip = up ? `M${x} ${y}l-4.5 8h9z` : `M${x} ${y}l-4.5 -8h9z`;
    const late = edge.arms.every(arm => arm.on === 'timeout' || arm.on === 'else');
    const group = make('g', { class: `edge${late ? ' late' : ''}`, 'data-from': nodes[edge.from].name },
        make('path', { class: 'line', d: edge.path.d }), make('path', { class: 'tip', d: tip }));
    const labels = edge.arms.map((arm, i) => {
        if (!edge.width) return null;
        const middle = { x: round(edge.label.x), y: round(edge.label.y + 13 + i * 16), 'text-anchor': 'middle' };
        const words = `${arm.label || arm.on}, line ${arm.line}`, label = edge.labels[i] || arm.on;
        return button({ class: 'arm', 'aria-label': words }, () => showLines(file, arm.line, arm.line),
            make('text', middle, make('title', {}, words), label));
    });
    for (const label of labels) if (label) group.append(label);
    return { group, labels };
}

/* Makes the diagram of a task, and notes in `drawn` what is in it. `left`: see layoutLayers(). */
function drawGraph(task, drawn, left) {
    const { nodes, edges } = graphOf(task), file = task.flow.file;
    left.parts -= nodes.reduce((sum, node) => sum + node.rows.length, 0);
    left.parts -= edges.reduce((sum, edge) => sum + edge.arms.length, 0);
    const size = layoutLayers(nodes, edges, left);
    if (!size) return make('p', { class: 'dim' }, `Too large to draw: ${task.steps.length} steps, ` +
        `${edges.length} arrows between them. The search finds a step.`);
    const svg = make('svg', {
        viewBox: `-10 -${metrics.top} ${Math.ceil(size.width) + 20} ${Math.ceil(size.height) + metrics.top + 10}`,
        role: 'group',
        'aria-label': `Task ${task.name}`,
    });
    svg.style.setProperty('--width', Math.ceil(size.width) + 20);
    svg.style.setProperty('--height', Math.ceil(size.height) + metrics.top + 10);
    const entry = nodes[0];
    svg.append(make('circle', { class: 'entry', cx: round(entry.x), cy: entry.y - 18, r: 5 }),
        make('path', { class: 'entry', d: `M${round(entry.x)} ${entry.y - 18}V${entry.y - 7}` }),
        make('path', { class: 'entry', d: `M${round(entry.x)} ${entry.y}l-4 -7h8z` }));
    for (const edge of edges) {
        const { group, labels } = drawEdge(edge, nodes, file), { step, handler } = nodes[edge.from];
        svg.append(group);
        drawn.edges.push({ from: step?.name, handler, to: nodes[edge.to].name, arms: edge.arms, group, labels });
    }
    for (const node of nodes) {
        const { group, rows } = drawNode(node, file);
        svg.append(group);
        (node.step ? drawn.steps : drawn.handlers).set(node.name, group);
        if (node.handler) setSlots(drawn.slots, node.handler, group);
        node.rows.forEach((row, i) => drawn.rows.push({ row, step: node.step, group: rows[i] }));
    }
    return make('div', { class: 'scroll' }, svg);
}

function drawTask(task, left) {
    const drawn = { task, steps: new Map(), handlers: new Map(), slots: new Map(), edges: [], rows: [] };
    const diagram = drawGraph(task, drawn, left), file = task.flow.file;
    const chips = task.preempts.filter(handler => handler.step === undefined).map(handler => {
        const chip = handlerChip(handler, file);
        drawn.handlers.set(handlerLabel(handler), chip);
        setSlots(drawn.slots, handler, chip);
        return chip;
    });
    const list = chips.length ? [make('ul', { class: 'members' }, chips)] : [];
    drawn.section = make('section', { class: 'task' }, taskHeading(task), list, diagram);
    return drawn;
}

const plainButton = (words, onclick) => make('button', { type: 'button', class: 'plain', onclick }, words);
const typeAndName = one => /[*&(]$/.test(one.type) ? one.type + one.name : `${one.type} ${one.name}`;

function taskHeading(task) {
    const parameters = task.parameters.map(typeAndName).join(', ');
    const words = `${task.forever ? 'forever ' : task.shutdown ? 'shutdown ' : ''}task `;
    const rest = `${parameters ? `(${parameters})` : ''}${task.result ? ` → ${task.result}` : ''}`;
    const show = plainButton(task.name, () => showLines(task.flow.file, task.line, task.line));
    return make('h2', {}, make('span', { class: 'dim' }, words), show, make('span', { class: 'dim' }, rest));
}

/* Companions of an array have a slot for each element. None is known if the size of an array is not. */
function setSlots(slots, { slot, elements = 1 }, group) {
    for (let i = 0; slot !== undefined && i < elements; i++) slots.set(slot + i, group);
}

const isOfSlot = ({ slot, elements = 1 }, one) => one >= slot && one < slot + elements;

/* A handler that ends the task, or makes it become another one. */
function handlerChip(handler, file) {
    const row = rowOf({ ...handler, label: '' }, null), show = () => showLines(file, handler.line, handler.line);
    return make('li', { class: `chip ${row.kind}` },
        plainButton(handlerLabel(handler), show), ` → ${row.target}`);
}

/* The sections of the tasks, those of a group in a box with its handlers. A group comes before those in it. */
function boxed(flow) {
    const boxes = new Map([[undefined, make('div', {})]]);
    for (const group of flow.groups || []) {
        const chips = group.preempts.map(handler => {
            const chip = handlerChip(handler, flow.file);
            setSlots(shown.slots, handler, chip);
            return chip;
        });
        const show = plainButton(group.name, () => showLines(flow.file, group.line, group.line));
        const heading = make('h2', {}, make('span', { class: 'dim' }, 'group '), show);
        const list = chips.length ? [make('ul', { class: 'members' }, chips)] : [];
        boxes.set(group.name, make('section', { class: 'group', 'aria-label': `Group ${group.name}` }, heading, list));
    }
    const outer = new Map((flow.groups || []).map(group => [group.name, group.group]));
    const boxOf = name => {
        const box = boxes.get(name);
        if (name !== undefined && !box.parentNode) boxOf(outer.get(name)).append(box);
        return box;
    };
    for (const { task, section } of shown.tasks) boxOf(task.group).append(section);
    return [...boxes.get(undefined).childNodes];
}

/* What a flow has besides tasks, and its own handlers. */
function flowMembers(flow) {
    const items = [];
    const add = (what, children) => items.push(make('li', {}, make('span', { class: 'dim' }, `${what} `), ...children));
    for (const [what, list] of [['flow', flow.flows], ['pool', flow.pools]]) {
        for (const one of list) {
            const type = model.flows.has(one.type) ? plainButton(one.type, () => showFlow(one.type)) : one.type;
            add(what, [type, ` ${one.name}${one.count ? `[${one.count}]` : ''}`]);
        }
    }
    const nameAndCount = name => `${name}${flow.counts?.[name] ? `[${flow.counts[name]}]` : ''}`;
    for (const name of flow.signals) add('signal', [nameAndCount(name)]);
    for (const name of flow.checkpoints) add('checkpoint', [nameAndCount(name)]);
    for (const box of flow.mailboxes) add('mailbox', [typeAndName(box)]);
    for (const handler of flow.preempts) {
        const chip = handlerChip(handler, flow.file);
        setSlots(shown.slots, handler, chip);
        items.push(chip);
    }
    return items.length ? [make('ul', { class: 'members' }, items)] : [];
}

/* -- the flow that is shown ---------------------------------------------------------------------------------------- */

/* `slots`: the handlers of the flow itself and of its groups. All handlers are numbered in the flow. */
const shown = { flow: null, tasks: [], slots: new Map(), lit: null };

function showFlow(name) {
    const flow = model.flows.get(name);
    if (!flow || shown.flow === flow) return;
    shown.flow = flow;
    byId('flows').value = name;
    shown.slots.clear();
    const left = { ...drawable };
    shown.tasks = flow.tasks.map(task => drawTask(task, left));
    fill(byId('chart'), [...flowMembers(flow), ...boxed(flow)]);
    showLines(flow.file, flow.line, flow.line);
    colourCovered();
}

/* Shows the flow to begin with, at its richest diagram. */
function openFlow(flows) {
    const flow = firstOfAll(flows);
    if (!flow) return;
    showFlow(flow.name);
    const { section } = shown.tasks.find(drawn => drawn.task === richestTask(flow));
    const place = section.getBoundingClientRect(), view = byId('chart').getBoundingClientRect();
    if (place.bottom > view.bottom) byId('chart').scrollTop += place.top - view.top - 8;
}
