/* The lists beside the tracks: flows, the state of the chosen one, waiting flows, events, matches of the search. */
const LISTED = 60; // items of a list that has no scroll bar of its own
const eventHeight = 20;

/* The room that all items of a long list would take, for its scroll bar. */
function makeRoom(box, count, height) {
    let room = box.querySelector(':scope > .room');
    if (!room) box.prepend(room = make('div', { class: 'room' }));
    room.style.height = `${count * height}px`;
    return room;
}

/* Shows the items of a long list that are in view. `draw(i)` makes an item, which this places. */
function drawVisible(box, count, height, draw) {
    const room = makeRoom(box, count, height);
    const first = Math.max(0, Math.floor(box.scrollTop / height) - 2);
    const last = Math.min(count, Math.ceil((box.scrollTop + box.clientHeight) / height) + 2);
    const items = [];
    for (let i = first; i < last; i++) {
        const item = draw(i);
        item.style.top = `${i * height + room.offsetTop}px`;
        items.push(item);
    }
    box.replaceChildren(room, ...items);
}

function drawNames() {
    drawVisible(byId('names'), trace.flows.length, row.height, i => {
        const flow = trace.flows[i], position = positionOf(i, player.cursor), ended = position ? position.ended : -1;
        const failed = ended >= 0 && isFailure(ended);
        return make('div', {
            class: `flow${i === player.chosen ? ' chosen' : ''}${failed ? ' failed' : ''}`,
            role: 'option', title: flow.path, 'aria-selected': i === player.chosen, onclick: () => choose(i),
        }, make('bdi', {}, flow.path));
    });
}

function showName(i) {
    const box = byId('names'), top = i * row.height;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + row.height > box.scrollTop + box.clientHeight - row.head) {
        box.scrollTop = Math.ceil((top + row.head - box.clientHeight) / row.height + 1) * row.height;
    }
}

/* -- where flows are ----------------------------------------------------------------------------------------------- */

function flowLink(i) {
    return make('button', { type: 'button', class: 'plain path', onclick: () => choose(i) }, trace.flows[i].path);
}

const stepText = step => `${step.task}.${step.name}${step.line ? `:${step.line}` : ''}`;

const AWAITED = 10; // flows that one wait leads to

/* That a wait is up to another flow; or how that flow has ended, so that the wait is not up to it any more. */
function describeAwaited(other) {
    const there = positionOf(other, player.cursor);
    if (there && there.step) return make('p', {}, 'that is up to ', flowLink(other), `, in ${stepText(there.step)}`);
    if (there && there.ended >= 0) return make('p', {}, flowLink(other), ` has ended: ${eventText(there.ended)}`);
    return make('p', {}, 'that is up to ', flowLink(other), ', which does not run');
}

/* The step before, and what decided. */
const cameFrom = ({ from, cause }) => `${stepText(from)}${cause?.text ? `: ${cause.text}` : ''}`;

/* The lines on a flow: its step, what it waits for and since when, whom that leads to. */
function describeFlow(i, position, others) {
    const lines = [];
    if (!position) return [make('p', { class: 'dim' }, 'has not started')];
    if (position.step) {
        const since = trace.time[position.entered];
        lines.push(make('p', {}, `in ${stepText(position.step)} for ${duration(player.now - since)}`));
        const said = trace.kind[position.entered] === trace.kinds.STEP ? trace.texts[trace.text[position.entered]] : '';
        if (said) lines.push(make('p', { class: 'dim' }, `came with “${said}”`));
        if (position.from) lines.push(make('p', { class: 'dim' }, `came from ${cameFrom(position)}`));
    } else if (position.ended >= 0) {
        lines.push(make('p', { class: isFailure(position.ended) ? 'fail' : 'done' }, eventText(position.ended)));
        if (position.from) lines.push(make('p', { class: 'dim' }, `in ${cameFrom(position)}`));
    }
    if (position.pause >= 0) {
        lines.push(make('p', {}, `paused for ${duration(player.now - trace.time[position.pause])}`));
    }
    if (position.keep >= 0) {
        const words = keepingWords[trace.a[position.keep]] || '?';
        lines.push(make('p', {}, `${words} for ${duration(player.now - trace.time[position.keep])}`));
    }
    if (position.wait >= 0) {
        const passed = player.now - trace.time[position.wait];
        const stands = position.pause < 0 ? 0 : player.now - trace.time[position.pause];
        const stood = trace.stood[position.last] + stands;
        const text = withOverdue(trace.texts[trace.text[position.wait]] || 'a condition', passed, stood);
        lines.push(make('p', {}, `waits for ${duration(passed)}: ${text}`));
        others ??= awaited(i, position.wait, player.cursor);
        lines.push(...others.slice(0, AWAITED).map(({ other }) => describeAwaited(other)));
        if (others.length > AWAITED) lines.push(make('p', {}, `and ${others.length - AWAITED} more`));
    }
    return lines;
}

function drawState() {
    const i = player.chosen, flow = trace.flows[i];
    if (!flow) return;
    const position = positionOf(i, player.cursor), known = model.flows.has(flow.type.name);
    const type = flow.number === 0 ? [] : [make('p', { class: 'dim' }, `flow ${flow.type.name}`)];
    if (!known && flow.number) {
        const page = baseName(flow.type.source).replace(/\.uflow$/, '.html');
        type.push(make('p', { class: 'dim' }, `No diagram: drop ${page} of ufc --emit=html here.`));
    }
    const lines = flow.number === 0 ? [] : describeFlow(i, position);
    byId('state').replaceChildren(make('h2', { class: 'path' }, flow.path), ...type, ...lines);
    const place = position && (position.step || position.from);
    const shownHere = known && shown.flow === model.flows.get(flow.type.name);
    light(place && shownHere ? {
        task: position.step ? position.step.task : null,
        step: position.step ? position.step.name : null,
        fromTask: position.from ? position.from.task : null,
        from: position.from ? position.from.name : null,
        end: position.step ? null : endWord(position.ended),
        reason: position.step ? '' : trace.reasons.get(position.ended) || '',
        cause: position.cause,
        file: shown.flow.file,
    } : null);
    const at = place && findStep(flow.type.name, place.task, place.name);
    if (at && shownHere) showLines(at.task.flow.file, at.line, at.last_line);
}

const endWord = ended => ended < 0 ? null : { 2: 'done', 3: 'fail' }[trace.a[ended] >>> 16] || null;

function describeCycle(group) {
    const names = group.slice(0, LISTED).flatMap((i, n) => [n ? ' and ' : '', flowLink(i)]);
    const more = group.length > LISTED ? ` and ${group.length - LISTED} more` : '';
    const what = group.length > 1 ? ' wait for each other' : ' waits for itself';
    return make('p', { class: 'cycle' }, ...names, more, what);
}

function drawWaiting() {
    const { all, cycles } = waitingAt(player.cursor), last = trace.count - 1;
    const later = player.cursor < last ? trace.waitingAtEnd : 0;
    const atEnd = later ? [', ', make('button', { type: 'button', class: 'plain', onclick: () => seek(last) },
        `${later} at the end`)] : [];
    const items = all.slice(0, LISTED).map(({ i, position, others }) =>
        make('li', {}, flowLink(i), ' ', ...describeFlow(i, position, others)));
    const inStep = player.cursor === last ? trace.flows.map((_, i) => ({ i, position: positionOf(i, last) }))
        .filter(({ position }) => position?.step && position.wait < 0 && position.pause < 0) : [];
    const steps = inStep.length ? [make('h2', {}, `In a step that has not returned: ${inStep.length}`),
        make('ul', {}, ...inStep.slice(0, LISTED).map(({ i, position }) =>
            make('li', {}, flowLink(i), ' ', ...describeFlow(i, position))))] : [];
    const more = all.length > LISTED ? [make('p', { class: 'dim' }, `and ${all.length - LISTED} more`)] : [];
    const listed = cycles.slice(0, LISTED);
    byId('stuck').replaceChildren(...listed.map(describeCycle)); // on a narrow screen, the list is far below
    byId('stuck').hidden = !cycles.length;
    byId('waiting').replaceChildren(
        ...steps, make('h2', {}, `Waiting: ${all.length}`, ...atEnd), ...listed.map(describeCycle),
        make('ul', {}, ...items), ...more);
}

/* -- events -------------------------------------------------------------------------------------------------------- */

const wholeRows = top => Math.round(top / eventHeight) * eventHeight;

function drawEvents() {
    const box = byId('event-rows');
    if (player.moved) {
        makeRoom(box, trace.count, eventHeight);
        const top = Math.max(0, player.cursor) * eventHeight;
        if (top < box.scrollTop || top + eventHeight > box.scrollTop + box.clientHeight) {
            box.scrollTop = wholeRows(top - box.clientHeight / 2);
        }
    }
    drawVisible(box, trace.count, eventHeight, i => {
        const flow = trace.flow[i] >= 0 ? trace.flows[trace.flow[i]].path : '-';
        const classes = `event${i === player.cursor ? ' now' : ''}${isFailure(i) ? ' fail' : ''}`;
        return make('div', { class: classes, onclick: () => seek(i, true), 'data-event': i },
            `${clockText(trace.time[i], 6).padStart(13)}  ${flow.padEnd(16)}  ${eventText(i)}`);
    });
}

function drawReplay() {
    if (!trace) return;
    drawTracks();
    drawNames();
    byId('clock').replaceChildren(clockText(player.now, 3),
        make('span', {}, `, event ${player.cursor + 1} of ${trace.count}`));
    if (player.moved) {
        drawState();
        const now = performance.now();
        if (!player.playing || !(now - player.listed < 150)) {
            drawWaiting();
            player.listed = now;
        }
    }
    drawEvents();
    player.moved = false;
}

/* -- search -------------------------------------------------------------------------------------------------------- */

/* Steps of the diagrams, flows and events with this text. */
function findAll(text) {
    const wanted = text.toLowerCase(), has = name => name.toLowerCase().includes(wanted), found = [];
    const add = (words, act) => { if (found.length < LISTED) found.push({ words, act }); };
    for (const flow of model.flows.values()) {
        for (const task of flow.tasks) {
            for (const step of task.steps) {
                const name = `${flow.name}.${task.name}.${step.name}`;
                if (has(name)) add(`step ${name}`, () => goToStep(step));
            }
        }
    }
    if (!trace) return found;
    trace.flows.forEach((flow, i) => { if (has(flow.path)) add(`flow ${flow.path}`, () => choose(i)); });
    const texts = trace.texts.map(has), names = new Map();
    const matches = i => {
        if (texts[trace.text[i]] || has(trace.reasons.get(i) || '')) return true;
        const enters = trace.kind[i] === trace.kinds.STEP || trace.kind[i] === trace.kinds.STARTED;
        if (!enters) return isFailure(i) && has('failed');
        const { name } = stepOfEvent(i);
        if (!names.has(name)) names.set(name, has(name));
        return names.get(name);
    };
    for (let n = 1; n <= trace.count && found.length < LISTED; n++) {
        const i = (player.cursor + n + trace.count) % trace.count; // from here on
        if (matches(i)) {
            const flow = trace.flow[i] >= 0 ? trace.flows[trace.flow[i]].path : '';
            add(`${clockText(trace.time[i], 3)} ${flow} ${eventText(i)}`, () => seek(i, true));
        }
    }
    return found;
}

function goToStep(step) {
    showFlow(step.task.flow.name);
    const drawn = shown.tasks.find(one => one.task === step.task);
    drawn.steps.get(step.name)?.scrollIntoView({ block: 'center' });
    drawn.steps.get(step.name)?.focus();
    showLines(step.task.flow.file, step.line, step.last_line);
}

function listenToSearch() {
    const box = byId('search'), list = byId('found');
    let chosen = 0;
    const close = () => { list.hidden = true; };
    const mark = () => [...list.children].forEach((item, i) => {
        item.classList.toggle('chosen', i === chosen);
        if (i === chosen && item.scrollIntoView) item.scrollIntoView({ block: 'nearest' });
    });
    const look = () => {
        const found = box.value ? findAll(box.value) : [];
        const take = act => () => {
            close();
            act();
        };
        chosen = 0;
        list.hidden = !box.value;
        list.replaceChildren(...found.map(one =>
            make('button', { type: 'button', role: 'option', tabindex: -1, onclick: take(one.act) }, one.words)));
        if (found.length === LISTED) list.append(make('span', { class: 'dim' }, 'and maybe more'));
        if (!found.length) list.append(make('span', { class: 'dim' }, 'nothing found'));
        mark();
    };
    box.addEventListener('input', look);
    box.addEventListener('keydown', event => {
        const moves = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        event.stopPropagation();
        if (event.key === 'Escape') {
            close();
            box.blur();
        } else if (event.key === 'Enter') {
            if (list.hidden) look();
            list.querySelector('.chosen')?.click();
        } else if (moves) {
            event.preventDefault();
            chosen = Math.max(0, Math.min(list.children.length - 1, chosen + moves));
            mark();
        }
    });
    document.addEventListener('click', event => { if (!event.target.closest('.find')) close(); });
}
