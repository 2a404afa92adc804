/* A binary trace, in the format of uflow/trace_format.h, as the replay that uflow-trace makes of it. */
const cellKinds = ['', 'time', 'round', 'started', 'step', 'waits', 'woken', 'description', 'reason', 'failed', 'ended',
    'job submitted', 'job ended', 'job abandoned', 'job rejected', 'job slow', 'signal', 'held', 'post', 'stopping',
    'slow step', 'slow round', 'starts', 'sends', 'arms', 'resumes',
    'post began', 'paused', 'resumed', 'restored', 'keeping', 'note'];
const keepingWords = ['', 'kept', 'waits for a commit', 'held', 'suspended', 'not kept']; // as uf_keeping
/* As UF_ARM_KINDS of uflow/arm_kinds.h, by number; a test compares them. */
const armKinds = [
    ['UNUSED', 'a condition', 'NOTHING', 'AWAIT'], ['TIMEOUT', 'timeout', 'TIME', 'AWAIT'],
    ['INTERVAL', 'stay: again', 'TIME', 'AWAIT'], ['HELD', 'until a condition has held', 'CONDITION', 'AWAIT'],
    ['OPERAND', '', 'NOTHING', 'AWAIT'], ['RUN', 'run', 'FLOW', 'AWAIT'], ['JOB', 'job', 'JOB', 'AWAIT'],
    ['ANY', 'any', 'JOBS', 'AWAIT'], ['JOBS', 'all', 'JOBS', 'AWAIT'],
    ['READABLE', 'readable', 'DESCRIPTOR', 'AWAIT'], ['WRITABLE', 'writable', 'DESCRIPTOR', 'AWAIT'],
    ['SIGNAL', 'signal', 'SIGNAL', 'AWAIT'], ['CHECKPOINT', 'checkpoint', 'CHECKPOINT', 'AWAIT'],
    ['ARRIVED', 'arrived', 'ARRIVAL', 'AWAIT'], ['MAILBOX', 'mailbox', 'MAILBOX', 'AWAIT'],
    ['ROOM', 'room in', 'ROOM', 'AWAIT'], ['VACANT', 'vacant', 'POOL', 'AWAIT'], ['EMPTY', 'idle', 'POOL', 'AWAIT'],
    ['IDLE', 'idle', 'FLOW', 'AWAIT'], ['STOPPING', 'stopping', 'STOP', 'AWAIT'], ['PREEMPT', 'on', 'SIGNAL', 'TASK'],
    ['COMPANION', 'with run', 'FLOW', 'TASK'], ['ON_TIMEOUT', 'on timeout', 'TIME', 'TASK'],
    ['DEADLINE', 'deadline', 'TIME', 'AWAIT'], ['ENDED', 'ended', 'POOL', 'AWAIT'],
    ['TIMEOUT_REAL', 'timeout real', 'REAL_TIME', 'AWAIT'], ['ON_TIMEOUT_REAL', 'on timeout real', 'REAL_TIME', 'TASK'],
];
const [, KEPT, WAITS_FOR_COMMIT] = keepingWords.keys();
const armOf = Object.fromEntries(armKinds.map(([name], i) => [name, i]));
const isHandler = kind => armKinds[kind]?.[3] === 'TASK';
const kindOf = Object.fromEntries(cellKinds.map((word, i) => [word.toUpperCase().replace(' ', '_'), i]));
kindOf.WAIT = kindOf.WAITS;
const NEVER = 2 ** 48 - 1;
const STATE = 72, NOW = 73, EARLY = 0x100, FIRST = 0x80, LAST = 0x8000;
/* As in uflow-trace: events in which a time must come, arms of a wait, characters of a name and of the text of a wait.
 * Otherwise damage could need any time or memory. */
const limits = { ahead: 512, arms: 130, name: 1023, line: 1023 };
const jobStatus = ['none', 'pending', 'done', 'failed', 'timed out', 'rejected'];
const stopPhases = ['none', 'ending', 'shutting down', 'jobs', 'over'];

function readBinary(buffer) {
    if (buffer.byteLength < 64) throw new Error('it is cut in its header');
    const view = new DataView(buffer), little = view.getUint32(8, true) === 0x01020304;
    const word = at => view.getUint32(at, little);
    if (word(8) !== 0x01020304 || word(12) !== 2) throw new Error('the version of its format is not known');
    const reader = {
        word, bytes: new Uint8Array(buffer), objects: [], rows: [], arms: [], last: null, texts: {}, states: new Map(),
    };
    const cells = Math.floor((buffer.byteLength - 64) / 16);
    const parts = word(16) === 1 ? [[64, cells]] : partsOfImage(word);
    reader.full = word(44) !== 0;
    reader.pieces = parts.map(([at, count]) => [at, Math.min(buffer.byteLength, at + count * 16)]);
    reader.high = highAt(reader, 0);
    reader.pieces.forEach((_, i) => readCells(reader, i));
    takeStates(reader, Infinity);
    const numbered = kind => reader.objects.map((one, i) => [one, i + 1]).filter(([one]) => one.kind === kind);
    return {
        uflow_replay: 2, start: String(reader.start || 0), kinds: kindOf, events: reader.rows,
        ...(reader.endsNow && reader.now > (reader.last ?? reader.start ?? 0) && { end: String(reader.now) }),
        types: numbered('type').map(([one, number]) => [number, one.name, one.source, one.tasks, one.steps]),
        flows: numbered('flow').map(([one, number]) => [number, one.type, one.name]),
    };
}

/* An image: its definitions, and the ring from the oldest cell on, which may be half overwritten if it is full. */
function partsOfImage(word) {
    const ring = word(32), capacity = word(36), at = word(40) % capacity;
    if (word(20) !== 64 || ring !== 64 + word(24) * 16 || !capacity) throw new Error('its header is damaged');
    return [[word(20), word(28)], ...(word(44) ? [[ring + (at + 1) * 16, capacity - at - 1]] : []), [ring, at]];
}

const cellsOfText = length => Math.ceil(length / 16);

/* The upper half of the times from a byte of this part on: the next cell of the kind `time` has it. null: it is
 * missing, so the times of the events are not known. */
function highAt({ word, pieces }, part, from) {
    let events = 0;
    for (let i = part; i < pieces.length; i++) {
        for (let at = i === part ? from ?? pieces[i][0] : pieces[i][0]; at + 16 <= pieces[i][1]; at += 16) {
            const kind = word(at + 4) >>> 24;
            if (kind >= 64) at += cellsOfText(word(at)) * 16;
            else if (kind === kindOf.TIME) return word(at + (events ? 12 : 8));
            else if (++events === limits.ahead) return null;
        }
    }
    return null;
}

function readCells(reader, part) {
    const { word, pieces: { [part]: [from, end] } } = reader;
    for (let at = from; at + 16 <= end; at += 16) {
        const [time, what, a, b] = [word(at), word(at + 4), word(at + 8), word(at + 12)], kind = what >>> 24;
        const cell = { time, kind, object: what & 0xffffff, a, b };
        reader.endsNow = kind === NOW; // otherwise the trace is cut, or tells no time
        if (kind < 64) {
            readEvent(reader, cell, at);
        } else if (at + 16 + time <= end) {
            const text = at + 16;
            at += cellsOfText(time) * 16;
            if (kind === STATE && !reader.states.size && reader.begun) reader.high = highAt(reader, part, at + 16);
            if (kind === STATE && time >= 32) reader.states.set(cell.object, stateAt(word, text, time));
            else if (kind === NOW) reader.now = a + b * 2 ** 32;
            else define(reader, cell, new TextDecoder().decode(reader.bytes.subarray(text, text + time)));
        }
    }
}

/* What has this number; undefined: nothing of the kind. */
function objectOf({ objects }, number, kind) {
    return objects[number - 1]?.kind === kind ? objects[number - 1] : undefined;
}

/* The recorder defines parts in order, so another index is damage. */
function definePart(parts, index, part) {
    if (parts && index <= parts.length) parts[index] = part;
}

/* As in uflow-trace: the paths of nested flows would be quadratic in their number. */
const cutName = name => name.replace(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, '?').slice(0, limits.name);
const pathIn = (parent, name) =>
    cutName(parent.length + name.length < limits.name ? `${parent}.${name}` : `....${name}`);

/* The recorder numbers in order, too. */
function define(reader, { kind, object, a, b }, text) {
    const { objects } = reader, type = objectOf(reader, object, 'type');
    if (kind <= 67 && object !== objects.length + 1) return;
    if (kind === 65) {
        const [name, source] = text.split('\0').map(cutName);
        objects.push({ kind: 'type', name, source: source || '', ...partsOfPage(name) });
    } else if (kind === 66) {
        const parent = objectOf(reader, b, 'flow');
        objects.push({ kind: 'flow', type: a, name: parent ? pathIn(parent.name, text) : cutName(text) });
    } else if (kind === 67) objects.push({ kind: 'name', name: cutName(text) });
    else if (kind === 68) definePart(type?.tasks, a & 0xffff, [cutName(text), b]);
    else if (kind === 69) definePart(type?.steps, a & 0xffff, [cutName(text), b, a >>> 16]);
    else if (kind === 71) definePart(type?.jobs, a & 0xffff, cutName(text));
}

/* A memory dump has no names of steps: those of the page. A group is a task without steps, behind the others. */
function partsOfPage(name) {
    const { tasks = [], groups = [] } = model.flows.get(name) || {};
    return {
        tasks: [...tasks, ...groups].map(place => [place.name, place.line]),
        steps: tasks.flatMap((task, i) => task.steps.map(step => [step.name, step.line, i])),
        jobs: tasks.flatMap(task => task.jobs.map(job => job.name)),
    };
}

const armAt = (a, b) => ({
    kind: a & 0x3f, failed: Boolean(a & 0x40), slot: a >>> 8 & 0x7f, operand: (a >>> 16) * 2 ** 32 + b,
});

/* -- events -------------------------------------------------------------------------------------------------------- */

function readEvent(reader, cell, at) {
    const { kind, object, a, b } = cell, now = reader.high * 2 ** 32 + cell.time;
    if (kind === kindOf.TIME) reader.high = a;
    if (kind < kindOf.STARTED || kind >= cellKinds.length || reader.high === null) return;
    if (kind === kindOf.DESCRIPTION || kind === kindOf.REASON) return addPiece(reader, cell, at);
    takeStates(reader, now);
    if (kind === kindOf.WAIT || kind === kindOf.WOKEN) {
        const of = kind * 2 ** 24 + object, lacksFirst = !(a & FIRST) && !(reader.arms.length && reader.armsOf === of);
        if (a & FIRST || lacksFirst) [reader.arms, reader.armsOf] = [[], of];
        if (!lacksFirst && reader.arms.length < limits.arms) reader.arms.push(armAt(a, b));
        if (!(a & LAST) || lacksFirst) return;
    }
    addRow(reader, cell, now, now);
}

function addRow(reader, cell, now, since) {
    const { kind, object, a, b } = cell, flow = objectOf(reader, object, 'flow');
    reader.start ??= now;
    const words = [kind, now - (reader.last ?? reader.start), object, a, b, ...textsOf(reader, cell, now, since)];
    while (words.length > 5 && !words[words.length - 1]) words.pop();
    reader.rows.push(words);
    reader.last = now;
    reader.arms = [];
    if (!flow) return;
    if (kind === kindOf.STARTED || kind === kindOf.STEP) [flow.step, flow.entered] = [a & 0xffff, since];
    if (kind === kindOf.ENDED) [flow.step, flow.entered, flow.ended] = [undefined, undefined, since];
}

/* -- states: steps and waits that go on, but whose events are lost ------------------------------------------------- */

function stateAt(word, at, length) {
    const arms = [];
    const count = Math.min(limits.arms, word(at + 4) >>> 16);
    for (let i = at + 32; i + 8 <= at + length && arms.length < count; i += 8) {
        arms.push(armAt(word(i), word(i + 4)));
    }
    return {
        counts: word(at) % 2 === 0 && word(at + 4), isEarly: word(at + 4) & EARLY, kind: word(at + 4) & 0xff, arms,
        entered: word(at + 8) + word(at + 12) * 2 ** 32, since: word(at + 16) + word(at + 20) * 2 ** 32,
        a: word(at + 24), b: word(at + 28),
    };
}

/* Those that are not newer than the next event. They come first, at their own times; after a gap, at the next time. */
function takeStates(reader, next) {
    const found = [];
    for (const [object, state] of reader.states) {
        const flow = objectOf(reader, object, 'flow');
        if (flow && state.counts && (reader.full || state.isEarly)) found.push(...stillOf(flow, object, state, next));
    }
    found.sort((x, y) => x.since - y.since || x.object - y.object || x.isWait - y.isWait);
    if (reader.states.size && !reader.begun) reader.start = next < Infinity ? next : reader.now || 0;
    if (reader.states.size) reader.arms = [];
    for (const cell of found) {
        reader.arms = cell.arms;
        addRow(reader, cell, reader.begun && next < Infinity ? next : cell.since, cell.since);
    }
    reader.states.clear();
    reader.begun = true;
}

function stillOf(flow, object, { kind, a, b, arms, entered, since }, next) {
    if (entered > next) {
        flow.step = flow.entered = flow.waitsSince = undefined;
        return [];
    }
    const ended = kind === kindOf.ENDED, waits = arms.length > 0 && since <= next;
    const known = ended ? flow.step === undefined && flow.ended === entered :
        flow.step === (a & 0xffff) && flow.entered === entered;
    const found = kind && !known ? [{ object, isWait: false, since: entered, kind, a, b, arms: [] }] : [];
    const same = flow.waitsSince === since && JSON.stringify(flow.waitsFor) === JSON.stringify(arms);
    if (waits && !(known && same)) {
        found.push({ object, isWait: true, since, kind: kindOf.WAIT, a, b, arms });
    }
    if (known && !waits) flow.waitsSince = undefined;
    return found;
}

/* Eight bytes of text; the position is in the place of the time. */
function addPiece({ texts, bytes }, { kind, object, time }, at) {
    if (time === 0) texts[kind] = { object, bytes: [] };
    else if (texts[kind]?.object !== object || texts[kind].next !== time) texts[kind] = { object, bytes: [46, 46, 46] };
    texts[kind].next = time + 1;
    texts[kind].bytes.push(...bytes.subarray(at + 8, at + 16).filter(byte => byte));
}

function takeText(reader, kind, object) {
    const text = reader.texts[kind];
    delete reader.texts[kind];
    return text && text.object === object ? new TextDecoder().decode(new Uint8Array(text.bytes)) : '';
}

/* The texts before a cell belong to it, and not to steps that go on, which have `isWait`. */
function textsOf(reader, { kind, object, a, b, isWait }, now, began) {
    const flow = objectOf(reader, object, 'flow') || {}, name = reader.objects[a - 1]?.name || '?';
    const isEvent = isWait === undefined;
    const describes = isEvent && (kind === kindOf.STEP || kind === kindOf.ENDED || kind === kindOf.NOTE);
    const description = describes ? takeText(reader, kindOf.DESCRIPTION, object) : '';
    const hasReason = (isEvent && kind === kindOf.ENDED) || (kind >= kindOf.JOB_SUBMITTED && kind <= kindOf.JOB_SLOW);
    const reason = hasReason ? takeText(reader, kindOf.REASON, object) : '';
    const since = flow.waitsSince;
    if (kind <= kindOf.WOKEN || kind === kindOf.ENDED) flow.waitsSince = kind === kindOf.WAIT ? began : undefined;
    if (kind === kindOf.WAIT) flow.waitsFor = reader.arms;
    switch (kind) {
    case kindOf.STARTED: return [];
    case kindOf.STEP: return [description];
    case kindOf.ENDED: return [description, reason];
    case kindOf.WAIT: return [armsText(reader, flow, true), targetsOf(reader.arms)];
    case kindOf.WOKEN: {
        const arms = armsText(reader, flow, false);
        const word = isHandler(reader.arms[0].kind) ? 'decided' : 'woken';
        const ready = reader.arms.length > 1 && reader.arms.map(({ slot, failed }) => slot << 1 | failed);
        return [`${word}${arms && '  '}${arms}${since === undefined ? '' : `  after ${duration(now - since)}`}`, ready];
    }
    case kindOf.PAUSED:
        flow.pausedSince = began;
        return ['paused'];
    case kindOf.RESUMED: {
        const at = flow.pausedSince;
        flow.pausedSince = undefined;
        return [`resumed${at === undefined ? '' : `  after ${duration(now - at)}`}`];
    }
    case kindOf.RESTORED: return [`restored  run ${b}, ${a} times in this step`];
    case kindOf.KEEPING: {
        const at = flow.keeping === WAITS_FOR_COMMIT && a === KEPT ? flow.keepingSince : undefined;
        [flow.keeping, flow.keepingSince] = [a, now];
        return [`${keepingWords[a] || '?'}${at === undefined ? '' : `  after ${duration(now - at)}`}`];
    }
    case kindOf.FAILED: return ['failed by a helper'];
    case kindOf.SIGNAL: return [`signal ${name}  released ${b}`];
    case kindOf.STARTS: return [`starts ${name}  run ${b}`];
    case kindOf.SENDS: return [b ? `sends to ${name} of ${reader.objects[b - 1]?.name || '?'}` : `fires ${name}`];
    case kindOf.ARMS: return [`arms ${name}`];
    case kindOf.RESUMES: return [`resumes ${name}`];
    case kindOf.HELD: return [`held at ${name}`];
    case kindOf.POST: return [`post of ${name}, line ${b}`];
    case kindOf.POST_BEGAN: return [`post of ${name}, line ${b}, begins`];
    case kindOf.STOPPING: return [`stopping: ${stopPhases[a] || '?'}`];
    case kindOf.NOTE: return [`note: ${description}`];
    case kindOf.SLOW_STEP: return [`slow step: ${duration(b * 1e3)}`];
    case kindOf.SLOW_ROUND: return [`slow round: ${duration(b * 1e3)}, ${a} turns`];
    default: {
        const job = `${cellKinds[kind]} ${jobName(reader, flow, a & 0xffff)}${b === 0xffffffff ? '' : `[${b}]`}`;
        const status = kind === kindOf.JOB_ENDED ? `  ${jobStatus[a >>> 16] || '?'}` : '';
        return [`${job}${status}${reason && `  reason: ${reason}`}`];
    }
    }
}

const jobName = (reader, flow, job) => objectOf(reader, flow.type, 'type')?.jobs[job] || '?';

/* Numbers of the flows that must end or receive. */
function targetsOf(arms) {
    const found = arms.filter(({ kind }) => [armOf.RUN, armOf.IDLE, armOf.ROOM].includes(kind));
    const flowOf = ({ kind, operand }) => kind === armOf.ROOM ? Math.floor(operand / 2 ** 24) : operand;
    return found.length && found.map(flowOf);
}

function armsText(reader, flow, times) {
    let text = '';
    for (const arm of reader.arms) {
        if (text.length >= limits.line) break;
        text += `${text && ', '}${armText(reader, flow, arm, times)}${arm.failed ? ' (failed)' : ''}`;
    }
    return text.slice(0, limits.line);
}

function armText({ objects }, flow, { kind, operand }, times) {
    const [, words, of] = armKinds[kind] ?? ['', '?', 'SIGNAL'], nameOf = number => objects[number - 1]?.name || '?';
    const owner = Math.floor(operand / 2 ** 24), element = Math.floor(operand / 65536);
    const job = jobName({ objects }, flow, operand % 65536);
    switch (of) {
    case 'NOTHING': case 'CONDITION': case 'STOP': return words;
    case 'TIME': case 'REAL_TIME':
        if (!times) return words;
        return operand >= NEVER ? `${words} never` : `${words} in ${duration(operand)}`;
    case 'DESCRIPTOR': return `${words} ${operand | 0}`;
    case 'JOBS': return `${words}(${job})`;
    case 'JOB': return `${words} ${job}${element ? `[${element - 1}]` : ''}`;
    case 'ROOM': return `${words} ${nameOf(operand % 2 ** 24)}${owner ? ` of ${nameOf(owner)}` : ''}`;
    default: return `${words} ${nameOf(operand % 2 ** 24)}`; // the upper half of `arrived` is its flow
    }
}
