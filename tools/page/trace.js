/* A replay, as `uflow-trace --format=replay` writes it: events in arrays, and for each flow the numbers of its events.
 *
 * stepAt[e]: the event that entered the step that the flow of event e is in after it; -1: none, or not known.
 * waitAt[e]: the event that began its present wait; -1: it does not wait.
 * keepAt[e]: the event that told what is kept of it; -1: none.
 * pauseAt[e]: the event that paused it; -1: it is not paused. stood[e]: how long it stood in its wait before. */
const outcomes = ['never ran', 'running', 'done', 'failed', 'cancelled', 'became'];
const FAILED = 3;
const RUNTIME = '(signals, runtime)';

const byPath = new Intl.Collator('en', { numeric: true }).compare;

let trace = null;

function loadTrace(data) {
    const rows = data.events, count = rows.length;
    const loaded = {
        count, kinds: data.kinds, start: Number(data.start), texts: [''], targets: new Map(), reasons: new Map(),
        time: new Float64Array(count), kind: new Uint8Array(count), flow: new Int32Array(count),
        a: new Uint32Array(count), b: new Uint32Array(count), text: new Int32Array(count),
        stepAt: new Int32Array(count).fill(-1), waitAt: new Int32Array(count).fill(-1),
        pauseAt: new Int32Array(count).fill(-1), keepAt: new Int32Array(count).fill(-1),
        stood: new Float64Array(count), failures: [], notes: [],
    };
    readFlows(loaded, data);
    const numbers = new Map([['', 0]]), places = new Map(loaded.flows.map((flow, i) => [flow.number, i]));
    let now = 0;
    rows.forEach(([kind, passed, flow, a, b, given, more], i) => {
        const text = String(given || '');
        now += passed;
        loaded.time[i] = now;
        loaded.kind[i] = kind;
        loaded.flow[i] = places.has(flow) ? places.get(flow) : -1;
        loaded.a[i] = a;
        loaded.b[i] = b;
        if (!numbers.has(text)) numbers.set(text, loaded.texts.push(text) - 1);
        loaded.text[i] = numbers.get(text);
        if (Array.isArray(more)) loaded.targets.set(i, more);
        else if (more) loaded.reasons.set(i, more);
    });
    loaded.before = countUpTo(count, i => loaded.time[i], -1); // events that it has lost, and that still count
    loaded.length = Math.max(1, now, data.end ? Number(BigInt(data.end) - BigInt(data.start)) : 0);
    sortByFlow(loaded);
    followFlows(loaded);
    trace = loaded;
}

function readFlows(loaded, data) {
    const types = new Map(data.types.map(([number, name, source, tasks, steps]) => {
        const parts = steps.some(step => step && step[0] !== '?') ? { tasks, steps } : partsOfPage(name);
        const named = parts.steps.map(([step, line, task]) =>
            ({ name: step, line, task: parts.tasks[task] ? parts.tasks[task][0] : '?' }));
        return [number, { name, source, steps: named }];
    }));
    const used = new Set(data.events.map(row => row[2]));
    const unknown = { name: '?', source: '', steps: [] };
    loaded.flows = data.flows.filter(([number]) => used.has(number))
        .map(([number, type, path]) => ({ number, path, type: types.get(type) || unknown }))
        .sort((a, b) => byPath(a.path, b.path));
    if (used.has(0)) loaded.flows.unshift({ number: 0, path: RUNTIME, type: unknown });
    loaded.byNumber = new Map(loaded.flows.map((flow, i) => [flow.number, i]));
    loaded.pools = new Map();
    loaded.flows.forEach(({ path }, i) => {
        const pool = path.replace(/\[\d+\]$/, '');
        if (pool === path) return;
        if (!loaded.pools.has(pool)) loaded.pools.set(pool, []);
        loaded.pools.get(pool).push(i);
    });
}

function sortByFlow(loaded) {
    const counts = new Uint32Array(loaded.flows.length);
    for (const flow of loaded.flow) if (flow >= 0) counts[flow]++;
    loaded.flows.forEach((flow, i) => { flow.events = new Uint32Array(counts[i]); });
    counts.fill(0);
    loaded.flow.forEach((flow, i) => { if (flow >= 0) loaded.flows[flow].events[counts[flow]++] = i; });
}

function followFlows(loaded) {
    const { kinds, kind, a, stepAt, waitAt, pauseAt, keepAt, stood, time } = loaded;
    for (const flow of loaded.flows) {
        let step = -1, wait = -1, pause = -1, keep = -1, before = 0;
        flow.pauses = []; // the events that begin and end each pause
        for (const i of flow.events) {
            if (kind[i] === kinds.STARTED || kind[i] === kinds.STEP) [step, wait, keep] = [i, -1, -1];
            else if (kind[i] === kinds.ENDED) [step, wait, keep] = [-1, -1, -1];
            else if (kind[i] === kinds.WAIT) wait = i;
            else if (kind[i] === kinds.WOKEN) wait = -1;
            if (kind[i] === kinds.WAIT) before = 0;
            else if (kind[i] === kinds.PAUSED) flow.pauses.push([pause = i, -1]);
            else if (kind[i] === kinds.RESUMED && pause >= 0) {
                flow.pauses[flow.pauses.length - 1][1] = i;
                [before, pause] = [before + time[i] - time[pause], -1];
            }
            if (kind[i] === kinds.KEEPING) keep = i;
            stepAt[i] = step;
            keepAt[i] = keep;
            pauseAt[i] = pause;
            stood[i] = before;
            waitAt[i] = wait;
        }
    }
    for (let i = 0; i < loaded.count; i++) {
        const ended = kind[i] === kinds.ENDED && a[i] >>> 16 === FAILED;
        if (kind[i] === kinds.NOTE) loaded.notes.push(i);
        if (ended || (kind[i] === kinds.JOB_ENDED && a[i] >>> 16 > 2)) loaded.failures.push(i);
    }
}

/* The number of items of a sorted array that are at most `value`. */
function countUpTo(length, at, value) {
    let low = 0, high = length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (at(middle) <= value) low = middle + 1;
        else high = middle;
    }
    return low;
}

const lastEventAt = time => countUpTo(trace.count, i => trace.time[i], time) - 1;

/* -- what an event says -------------------------------------------------------------------------------------------- */

function stepInfo(flow, index) {
    return trace.flows[flow]?.type.steps[index] || { name: '?', task: '?', line: 0 };
}

const stepOfEvent = i => stepInfo(trace.flow[i], trace.a[i] & 0xffff);
const isFailure = i => (trace.kind[i] === trace.kinds.ENDED && trace.a[i] >>> 16 === FAILED) ||
    (trace.kind[i] === trace.kinds.JOB_ENDED && trace.a[i] >>> 16 > 2);

function eventText(i) {
    const { kinds, kind, a, b } = trace, text = trace.texts[trace.text[i]];
    if (kind[i] === kinds.STARTED) return `started ${stepOfEvent(i).task}, run ${b[i]}`;
    if (kind[i] === kinds.STEP) {
        const ticks = a[i] >>> 16;
        return `→ ${stepOfEvent(i).name}${ticks > 1 ? ` ×${ticks}` : ''}${text ? `  “${text}”` : ''}`;
    }
    if (kind[i] === kinds.WAIT) return `waits: ${text || 'a condition'}`;
    if (kind[i] !== kinds.ENDED) return text;
    const failed = a[i] >>> 16 === FAILED && ', for a reason that the trace has lost';
    const reason = trace.reasons.get(i) || '';
    return `${outcomes[a[i] >>> 16] || 'ended'}${reason ? `: ${reason}` : failed || ''}${text ? `  “${text}”` : ''}`;
}

/* The position of a flow after event `cursor`; null: nothing is known of it yet. */
function positionOf(flow, cursor) {
    const { events } = trace.flows[flow];
    const count = countUpTo(events.length, i => events[i], cursor);
    if (!count) return null;
    const last = events[count - 1], entered = trace.stepAt[last];
    const position = { last, entered, wait: trace.waitAt[last], pause: trace.pauseAt[last], keep: trace.keepAt[last],
        step: entered >= 0 ? stepOfEvent(entered) : null };
    position.ended = count && entered < 0 ? lastOf(events, count, i => trace.kind[i] === trace.kinds.ENDED) : -1;
    /* The transition that led here: from the step before. */
    const change = entered >= 0 ? entered : position.ended;
    const at = change >= 0 ? countUpTo(events.length, i => events[i], change) - 1 : 0;
    const before = at > 0 ? trace.stepAt[events[at - 1]] : -1;
    if (change >= 0 && before >= 0 && trace.kind[change] !== trace.kinds.STARTED) {
        position.from = stepOfEvent(before);
        position.cause = causeOf(events, at, before);
    }
    return position;
}

/* What decided the change number `at` among the events of a flow, which had entered its step by the event `before`: a
 * handler, by its slot; one of the arms that were ready, each by its slot * 2, + 1 if it has failed; a condition; a
 * helper, such as uf_flow_fail(). null: the body did, for all we know. */
function causeOf(events, at, before) {
    const { kinds, kind, a, text, texts } = trace;
    for (let i = at - 1; i >= 0 && events[i] > before; i--) {
        const event = events[i], arm = a[event] & 0x3f;
        if (kind[event] === kinds.FAILED) return { helper: true, text: 'a helper' };
        if (kind[event] === kinds.WAIT) return null;
        if (kind[event] !== kinds.WOKEN) continue;
        const handler = isHandler(arm);
        const said = texts[text[event]].replace(/^\w+ */, '').replace(/ *\bafter .*$/, '');
        const slot = a[event] >>> 8 & 0x7f, ready = trace.targets.get(event) || [slot << 1 | a[event] >>> 6 & 1];
        return { handler, slot, condition: arm === armOf.OPERAND, ready, text: said };
    }
    return null;
}

function lastOf(events, count, matches) {
    for (let i = count - 1; i >= 0; i--) if (matches(events[i])) return events[i];
    return -1;
}

/* The pools of a flow that it waits for: `vacant` until any member ends, `idle` until all have. */
function awaitedPools(flow, wait) {
    const { path } = trace.flows[flow], arms = trace.texts[trace.text[wait]].split(', ');
    const pools = arms.map(arm => /^(vacant|idle) (\w+)$/.exec(arm)).filter(Boolean);
    return pools.map(([, word, name]) =>
        ({ any: word === 'vacant', members: trace.pools.get(`${path}.${name}`) || [] }));
}

/* The flows that a waiting flow waits for: those that must end or receive, and members of pools that run. A cycle may
 * lead along those that `block`: not to a pool of which a member ends by itself. */
function awaited(flow, wait, cursor) {
    const numbers = (trace.targets.get(wait) || []).map(number => trace.byNumber.get(number));
    const found = numbers.filter(other => other !== undefined).map(other => ({ other, blocks: runs(other, cursor) }));
    for (const { any, members } of awaitedPools(flow, wait)) {
        const running = members.filter(other => runs(other, cursor));
        const waiting = running.filter(other => waitsForFlows(other, cursor));
        const blocks = !any || waiting.length === running.length;
        for (const other of running) found.push({ other, blocks: blocks && waiting.includes(other) });
    }
    return found;
}

const runs = (flow, cursor) => Boolean(positionOf(flow, cursor)?.step);

function waitsForFlows(flow, cursor) {
    const { wait } = positionOf(flow, cursor);
    return wait >= 0 && (trace.targets.has(wait) || awaitedPools(flow, wait).some(({ members }) => members.length));
}

/* The flows that wait at an event: since when, for whom; and those of them that wait for each other. */
function waitingAt(cursor) {
    const waiting = new Map(), waits = new Map();
    trace.flows.forEach((flow, i) => {
        const position = positionOf(i, cursor);
        if (!position || position.wait < 0) return;
        const others = awaited(i, position.wait, cursor);
        waiting.set(i, { i, position, since: trace.time[position.wait], others });
        waits.set(i, others.filter(({ blocks }) => blocks).map(({ other }) => other));
    });
    const cycles = findCycles(waits), inCycle = new Set(cycles.flat());
    const order = (a, b) => inCycle.has(b.i) - inCycle.has(a.i) || a.since - b.since;
    return { cycles, all: [...waiting.values()].sort(order) };
}

/* Groups of flows that wait for each other: strongly connected components. `waits`: flow -> the flows it awaits. */
function findCycles(waits) {
    const number = new Map(), low = new Map(), stack = [], open = new Set(), cycles = [];
    for (const root of waits.keys()) {
        if (number.has(root)) continue;
        const work = [[root, 0]];
        while (work.length) {
            const top = work[work.length - 1], [flow, next] = top;
            if (next === 0) {
                number.set(flow, number.size);
                low.set(flow, number.get(flow));
                stack.push(flow);
                open.add(flow);
            }
            const targets = waits.get(flow) || [];
            if (next < targets.length) {
                const to = targets[top[1]++];
                if (!number.has(to)) work.push([to, 0]);
                else if (open.has(to)) low.set(flow, Math.min(low.get(flow), number.get(to)));
                continue;
            }
            work.pop();
            if (work.length) {
                const above = work[work.length - 1][0];
                low.set(above, Math.min(low.get(above), low.get(flow)));
            }
            if (low.get(flow) !== number.get(flow)) continue;
            const group = stack.splice(stack.lastIndexOf(flow));
            for (const one of group) open.delete(one);
            if (group.length > 1 || targets.includes(flow)) cycles.push(group.sort((a, b) => a - b));
        }
    }
    return cycles;
}

/* -- times --------------------------------------------------------------------------------------------------------- */

const hundredths = (ns, unit, word) =>
    `${Math.floor(ns / unit)}.${String(Math.floor(ns / (unit / 100)) % 100).padStart(2, '0')}${word}`;

/* As uf_duration_text() of uflow/priv/duration.h. */
function duration(ns) {
    const seconds = Math.floor(ns / 1e9), minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
    if (ns < 1e3) return `${Math.floor(ns)}ns`;
    if (ns < 1e6) return hundredths(ns, 1e3, 'us');
    if (ns < 1e9) return hundredths(ns, 1e6, 'ms');
    if (!minutes) return hundredths(ns, 1e9, 's');
    if (!hours) return `${minutes}min ${hundredths(ns % 60e9, 1e9, 's')}`;
    return hours < 24 ? `${hours}h ${minutes % 60}min` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/* The longest time of which duration() makes this text, which it truncates. */
function longestOf(text) {
    const units = { d: 86400e9, h: 3600e9, min: 60e9, s: 1e9, ms: 1e6, us: 1e3, ns: 1 };
    const parts = [...text.matchAll(/([\d.]+)(d|h|min|ms|us|ns|s)/g)], [, last, unit] = parts[parts.length - 1];
    const sum = parts.reduce((ns, [, number, word]) => ns + Number(number) * units[word], 0);
    return sum + units[unit] / (last.includes('.') ? 100 : 1);
}

/* The text of a wait, after a time: deadlines that are certainly over are overdue. Timeouts stand with the flow. */
const withOverdue = (text, passed, stood) =>
    text.replace(/([^,]*) in ((?:\d[\d.]*(?:d|h|min|ms|us|ns|s) ?)+)(?=,|$)/g, (all, words, left) => {
        const counts = /^ ?(timeout|stay: again|on timeout)$/.test(words) ? passed - stood : passed;
        return counts > longestOf(left) ? `${words} overdue for ${duration(counts - longestOf(left))}` : all;
    });

/* The logical time as uflow-trace prints it. */
const clockText = (ns, digits) => `${((trace.start + ns) / 1e9).toFixed(digits)} s`;
