/* The position in the replay: the last event that has happened, the time, the chosen flow, the span that is shown. */
const player = {
    cursor: -1, asked: -1, now: 0, playing: false, speed: 1, chosen: 0, begin: 0, end: 1, frame: 0, moved: true,
};

const speeds = [0.001, 0.01, 0.1, 1, 10, 100, 1000];
const FIT = 30e9; // the speed `all in 30 s`

function startReplay() {
    byId('replay').hidden = false;
    document.body.classList.add('replaying');
    Object.assign(player, { cursor: -1, asked: -1, now: 0, playing: false, begin: 0, end: trace.length, chosen: 0 });
    const options = speeds.map(speed => make('option', { value: speed }, `×${speed}`));
    byId('speed').replaceChildren(...options, make('option', { value: 'fit' }, '30 s in all'));
    const usual = trace.length <= 2 * FIT && trace.length >= 1e9;
    byId('speed').value = usual ? '1' : 'fit';
    setSpeed();
    const { all, cycles } = waitingAt(trace.count - 1);
    trace.waitingAtEnd = all.length;
    choose(cycles.length ? cycles[0][0] : firstChosen());
    const stay = cycles.length ? null : longestStay(player.chosen);
    if (stay) seekTime((stay.begin + stay.end) / 2);
    else seek(cycles.length ? trace.count - 1 : 0);
}

/* A flow that is no part of another one, or a part of it with a richer diagram. */
function firstChosen() {
    const known = trace.flows.filter(flow => model.flows.has(flow.type.name));
    const root = known.find(flow => !flow.path.includes('.')) || known[0];
    if (!root) return 0;
    const type = richestOf(model.flows.get(root.type.name)).name;
    const isPart = flow => flow.type.name === type && flow.path.startsWith(`${root.path}.`);
    return trace.flows.indexOf(root.type.name === type ? root : known.find(isPart) || root);
}

/* The longest time that a flow is in one step of its richest diagram, after another step. */
function longestStay(index) {
    const { events, type } = trace.flows[index], { stepAt, time, kind, kinds } = trace;
    const flow = model.flows.get(type.name), task = flow && richestTask(flow).name;
    let best = null;
    for (let at = 0, next = 0; at < events.length; at = next) {
        const entered = stepAt[events[at]];
        while (next < events.length && stepAt[events[next]] === entered) next++;
        if (entered < 0 || kind[entered] !== kinds.STEP || stepOfEvent(entered).task !== task) continue;
        const begin = Math.max(0, time[entered]), end = next < events.length ? time[events[next]] : trace.length;
        if (!best || end - begin > best.end - best.begin) best = { begin, end };
    }
    return best;
}

function setSpeed() {
    const value = byId('speed').value;
    player.speed = value === 'fit' ? Math.max(trace.length / FIT, 1e-9) : Number(value);
}

function redraw() {
    if (!player.frame) player.frame = requestAnimationFrame(drawAll);
}

function drawAll(time) {
    player.frame = 0;
    if (player.playing) advance(time);
    drawReplay();
}

/* Goes to an event. Its flow becomes the chosen one if asked for. */
function seek(cursor, follow) {
    const asked = Math.max(-1, Math.min(trace.count - 1, cursor));
    player.cursor = Math.max(asked, trace.before - 1); // steps and waits from before the trace go on when it begins
    player.now = player.cursor >= 0 ? Math.max(0, trace.time[player.cursor]) : 0;
    player.asked = asked;
    if (player.cursor >= 0 && player.cursor === trace.count - 1) player.now = trace.length;
    if (follow && asked >= 0 && trace.flow[asked] >= 0) choose(trace.flow[asked]);
    keepInView();
    player.moved = true;
    redraw();
}

function seekTime(now) {
    player.now = Math.max(0, Math.min(trace.length, now));
    player.cursor = player.asked = lastEventAt(player.now);
    player.moved = true;
    redraw();
}

function choose(flow) {
    player.chosen = Math.max(0, Math.min(trace.flows.length - 1, flow));
    player.moved = true;
    if (trace.flows[player.chosen]) showFlow(trace.flows[player.chosen].type.name);
    showName(player.chosen);
    redraw();
}

function play(on) {
    if (on && player.cursor >= trace.count - 1) seek(-1);
    player.playing = on;
    player.moved = true; // the lists, which are drawn less often while it plays
    player.last = undefined;
    byId('play').textContent = on ? '❚❚' : '▶';
    byId('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
    redraw();
}

function advance(time) {
    if (player.last !== undefined) {
        seekTime(player.now + (time - player.last) * 1e6 * player.speed);
        keepInView();
    }
    player.last = time;
    if (player.now >= trace.length) play(false);
    redraw();
}

/* The next or previous event; with `same`, of the chosen flow. */
function step(direction, same) {
    play(false);
    if (!same) return seek(player.cursor + direction, true);
    const { events } = trace.flows[player.chosen];
    const count = countUpTo(events.length, i => events[i], player.cursor);
    const at = direction > 0 ? count : count - 2;
    if (at >= 0 && at < events.length) seek(events[at]);
}

function nextFailure(direction) {
    const { failures } = trace;
    play(false);
    if (!failures.length) return say('There is no failure in this trace.');
    const count = countUpTo(failures.length, i => failures[i], player.asked);
    const here = failures[count - 1] === player.asked ? 1 : 0;
    const at = direction > 0 ? count : count - 1 - here;
    say('');
    seek(failures[(at + failures.length) % failures.length], true);
}

/* -- the span of time that is shown -- */

/* Shorter than this, numbers do not tell the times of a long trace apart. */
const leastSpan = () => Math.max(100, trace.length / 2 ** 46);

function zoom(factor, around) {
    const middle = around ?? player.now;
    const span = Math.min(trace.length, Math.max(leastSpan(), (player.end - player.begin) * factor));
    const share = (middle - player.begin) / (player.end - player.begin);
    player.begin = Math.max(0, Math.min(trace.length - span, middle - share * span));
    player.end = player.begin + span;
    redraw();
}

function pan(ns) {
    const span = player.end - player.begin;
    player.begin = Math.max(0, Math.min(trace.length - span, player.begin + ns));
    player.end = player.begin + span;
    redraw();
}

function keepInView() {
    const span = player.end - player.begin;
    if (player.now < player.begin || player.now > player.end) pan(player.now - span * 0.1 - player.begin);
}
