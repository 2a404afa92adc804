/* The coverage of tests, as `uflow-cov --format=json` writes it: what has run, and what never did. */
let coverage = null;

function loadCoverage(data) {
    coverage = new Map(data.files.flatMap(file => file.flows).map(flow => [flow.name, flow]));
    say(`${data.percent} % of what can be taken was taken. Green: taken; amber: a part of it; red: never.`);
    document.body.classList.add('covering');
    if (shownFile) colourCoveredLines();
    colourCovered();
}

const targetOf = edge => edge.step || edge.end || `become ${edge.become}`;

/* The counts of all that is there. */
function mark(element, counts) {
    const known = counts.filter(count => count !== undefined), ran = known.filter(count => count > 0).length;
    if (!element || !known.length) return;
    element.classList.toggle('ran', ran === known.length);
    element.classList.toggle('partly', ran > 0 && ran < known.length);
    element.classList.toggle('missed', ran === 0);
}

/* The counts of edges: those with the same label and target are in the same order. A failure without `else` is no part
 * of the sums, so it has no colour. */
function countEdges(steps, counted) {
    const counts = new Map();
    for (const step of steps) {
        const left = (counted.get(step.name)?.edges || []).filter(edge => edge.on !== 'failure');
        for (const edge of step.edges) {
            const at = left.findIndex(one => one.label === edge.label && one.target === targetOf(edge));
            if (at >= 0) counts.set(edge, left.splice(at, 1)[0].count);
        }
    }
    return counts;
}

function colourTask(drawn, task) {
    const counted = new Map(task.steps.map(step => [step.name, step]));
    const counts = countEdges(drawn.task.steps, counted);
    for (const [name, group] of drawn.steps) {
        const count = counted.get(name)?.count;
        mark(group, [count]);
        const right = Number(group.querySelector('.box').getAttribute('width')) - 4;
        if (count) group.append(make('text', { class: 'count', x: right, y: -4, 'text-anchor': 'end' }, `×${count}`));
    }
    for (const edge of drawn.edges) {
        mark(edge.group, edge.arms.map(arm => counts.get(arm)));
    }
    for (const { row, group } of drawn.rows) mark(group, [counts.get(row.edge)]);
    for (const handler of task.handlers) mark(drawn.handlers.get(handler.label), [handler.count]);
}

function colourCovered() {
    const flow = coverage && shown.flow && coverage.get(shown.flow.name);
    for (const drawn of flow ? shown.tasks : []) {
        const task = flow.tasks.find(one => one.name === drawn.task.name);
        if (task) colourTask(drawn, task);
    }
}

/* What begins on a line: steps, handlers, targets, and both values of the condition of an arm. */
function colourCoveredLines() {
    const counts = new Map();
    const note = (line, ...more) => {
        if (!counts.has(line)) counts.set(line, []);
        counts.get(line).push(...more);
    };
    for (const { name } of coverage ? shownFile.flows : []) {
        for (const task of coverage.get(name)?.tasks || []) {
            for (const handler of task.handlers) note(handler.line, handler.count);
            for (const step of task.steps) {
                note(step.line, step.count);
                for (const edge of step.edges.filter(one => one.on !== 'failure')) {
                    note(edge.line, edge.count, edge.true, edge.false);
                }
            }
        }
    }
    const lines = byId('lines').children;
    for (const [line, found] of counts) mark(lines[line - 1], found);
}
