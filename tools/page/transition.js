/* Lights the step that a flow is in, and what led there: { task, step, fromTask, from, end, reason, cause }. `cause` is
 * what the trace tells of the decision, see causeOf(). If several lines of the source may have led there, all of them
 * are lit faintly. */
const UNNUMBERED = 0x7f; // the slot of arms with higher numbers

function light(place) {
    const lit = ['now', 'taken', 'maybe', 'failed'];
    for (const old of byId('chart').querySelectorAll(lit.map(name => `.${name}`).join())) old.classList.remove(...lit);
    for (const drawn of place ? shown.tasks : []) {
        if (place.task === drawn.task.name) drawn.steps.get(place.step)?.classList.add('now');
        if (place.fromTask === drawn.task.name) lightTransition(drawn, place);
    }
    showLit(byId('chart').querySelector('.now') || byId('chart').querySelector('.taken, .maybe, .failed'));
}

/* Scrolls the diagrams, not the page, and only if something else is lit than before. */
function showLit(lit) {
    const box = byId('chart'), place = lit?.getBoundingClientRect(), view = box.getBoundingClientRect();
    if (lit && lit !== shown.lit && box.scrollHeight > box.clientHeight) {
        const above = view.top + 40 - place.top, below = place.bottom + 8 - view.bottom;
        if (above > 0) box.scrollTop -= above;
        else if (below > 0) box.scrollTop += below;
    }
    shown.lit = lit;
}

function lightTransition(drawn, place) {
    const { cause, from } = place;
    if (cause?.handler) return lightHandler(drawn, cause.slot);
    if (cause?.helper) return drawn.steps.get(from)?.classList.add('failed');
    const candidates = narrow(candidatesOf(drawn, place), place);
    for (const { groups } of candidates) {
        for (const group of groups) group.classList.add(candidates.length > 1 ? 'maybe' : 'taken');
    }
}

/* A node with its edge, or the line of a handler that leads to no step. */
function lightHandler(drawn, slot) {
    (drawn.slots.get(slot) || shown.slots.get(slot))?.classList.add('taken');
    for (const edge of drawn.edges) {
        if (!edge.handler || !isOfSlot(edge.handler, slot)) continue;
        edge.group.classList.add('taken');
    }
}

/* The arms and statements of a step that lead to where the flow went, and what shows each of them. */
function candidatesOf(drawn, { task, step, fromTask, from, end }) {
    const stays = !end && task === fromTask, found = [];
    for (const { from: owner, to, arms, group, labels } of drawn.edges) {
        if (!stays || owner !== from || to !== step) continue;
        arms.forEach((arm, i) => found.push({ arm, groups: [group, labels[i]].filter(one => one) }));
    }
    for (const { row, step: owner, group } of drawn.rows) {
        if (owner?.name !== from) continue;
        const loops = stays && step === from && row.kind === 'loop';
        const becomes = !end && !stays && row.edge.become === task;
        if (loops || becomes || (end && row.edge.end === end)) found.push({ arm: row.edge, groups: [group] });
    }
    return found;
}

/* Those that agree with the cause: the arm that was ready, a condition, or the body; then, for a failure, with its
 * reason. */
function narrow(found, { cause, end, reason, file }) {
    const those = test => {
        const some = found.filter(({ arm }) => test(arm));
        return some.length ? some : found;
    };
    let left = found;
    if (!cause) left = those(arm => !arm.slots);
    else if (cause.condition) left = those(arm => /\buntil \(/.test(arm.label));
    else left = firstOf(found.filter(({ arm }) => wasReady(arm, cause.ready)));
    if (!left.length) left = found;
    if (end !== 'fail' || left.length < 2) return left;
    const said = left.filter(({ arm }) => says(file, arm.line, reason));
    return said.length ? said : left;
}

/* An `all` is ready with all its parts, and fails with one of them. A `first` is ready with one, and fails with all. */
function wasReady({ on, slots, first = false }, ready) {
    const failed = on === 'else', is = slot => ready.includes(slot << 1 | failed);
    if (!slots || ready.some(one => one >>> 1 === UNNUMBERED)) return false;
    return failed === first ? slots.every(is) : slots.some(is);
}

/* Of several arms of one await that are ready, the first one decides. Arms with the same slot are of different ones. */
function firstOf(left) {
    const slots = left.flatMap(({ arm }) => arm.slots || []);
    return new Set(slots).size === slots.length ? left.slice(0, 1) : left;
}

/* Does a `fail` in this line of the source give this reason? */
function says(file, line, reason) {
    file.lines ??= file.text.split('\n');
    const text = file.lines[line - 1] || '';
    return [...text.matchAll(/\bfail\s*"((?:[^"\\]|\\.)*)"/g)].some(([, format]) => {
        const parts = format.split(/%[^a-zA-Z%]*(?:hh|h|ll|l|j|z|t|L)?[a-zA-Z%]/);
        const fixed = parts.map(part => part.replace(/\\(.)/g, '$1').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        return new RegExp(`^${fixed.join('.*')}$`, 's').test(reason);
    });
}
