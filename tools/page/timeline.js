/* The tracks: a canvas with one row per flow. Only rows in view are drawn. */
const row = { height: 22, head: 22 };
const margin = 7; // at both ends of the time, so that the mark of the present time fits
const colours = {};

function readColours() {
    const style = getComputedStyle(document.documentElement);
    const names = ['panel', 'ink', 'dim', 'rule', 'soft', 'accent', 'accent-soft', 'bad', 'good', 'warm', 'mono'];
    for (const name of names) {
        colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
    colours.dark = matchMedia('(prefers-color-scheme: dark)').matches;
}

/* A hue from blue to violet, so that no step looks good or bad; neighbouring numbers get different ones. */
function stepColour(index) {
    const hue = 200 + index * 0.618 % 1 * 95, light = (colours.dark ? 30 : 78) + index % 3 * 4;
    return `hsl(${hue} ${colours.dark ? '42%' : '60%'} ${light}%)`;
}

function drawTracks() {
    const canvas = byId('time'), box = canvas.getBoundingClientRect(), scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(box.width)), height = Math.max(1, Math.round(box.height));
    if (canvas.width !== width * scale || canvas.height !== height * scale) {
        canvas.width = width * scale;
        canvas.height = height * scale;
    }
    const pen = canvas.getContext('2d');
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = colours.panel;
    pen.fillRect(0, 0, width, height);
    pen.font = `11px ${colours.mono}`;
    pen.textBaseline = 'middle';
    const place = {
        pen, width, height,
        x: time => margin + (time - player.begin) / (player.end - player.begin) * (width - 2 * margin),
    };
    const scrolled = byId('names').scrollTop;
    const first = Math.floor(scrolled / row.height), last = Math.ceil((scrolled + height) / row.height);
    drawGrid(place);
    for (let i = first; i <= last && i < trace.flows.length; i++) {
        drawFlow(place, i, row.head + i * row.height - scrolled);
    }
    drawAxis(place);
    drawNotes(place);
    drawCursor(place);
}

function tickStep(width) {
    const span = player.end - player.begin, least = span / Math.max(2, width / 110);
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map(n => n * power).find(step => step >= least);
}

function* ticks(width) {
    const step = tickStep(width), begin = Math.ceil((trace.start + player.begin) / step) * step - trace.start;
    for (let time = begin; time <= player.end; time += step) yield time;
}

function drawGrid({ pen, width, height, x }) {
    pen.fillStyle = colours.soft;
    for (const time of ticks(width)) pen.fillRect(Math.round(x(time)), 0, 1, height);
}

function drawAxis({ pen, width, x }) {
    const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(tickStep(width) / 1e9))));
    pen.fillStyle = colours.panel;
    pen.fillRect(0, 0, width, row.head - 1);
    pen.fillStyle = colours.rule;
    pen.fillRect(0, row.head - 1, width, 1);
    pen.fillStyle = colours.dim;
    for (const time of ticks(width)) pen.fillText(clockText(time, digits), Math.round(x(time)) + 3, row.head / 2);
}

/* What the program has noted, such as a disturbance of a test: a mark on the axis, and a line through all rows. The
 * text stands beside it, where there is room for it. */
function drawNotes({ pen, width, height, x }) {
    const all = trace.notes, { time } = trace;
    pen.fillStyle = colours.warm;
    for (let at = countUpTo(all.length, i => time[all[i]], player.begin - 1); at < all.length; at++) {
        const here = Math.round(x(time[all[at]])), text = eventText(all[at]).replace(/^note: /, '');
        if (here > width) return;
        const next = at + 1 < all.length ? x(time[all[at + 1]]) : width;
        pen.fillRect(here - 3, row.head - 8, 7, 7);
        for (let y = row.head; y < height; y += 6) pen.fillRect(here, y, 1, 3);
        if (text.length * 6.7 + 10 < next - here) pen.fillText(text, here + 6, height - 9);
    }
}

function drawFlow(place, index, y) {
    const { pen, width, x } = place, { events } = trace.flows[index], { time, stepAt } = trace;
    let at = Math.max(0, countUpTo(events.length, i => time[events[i]], player.begin) - 1), filled = -1;
    if (index === player.chosen) {
        pen.fillStyle = colours['accent-soft'];
        pen.fillRect(0, y, width, row.height);
    }
    while (at < events.length && time[events[at]] <= player.end) {
        const entered = stepAt[events[at]], began = events[at];
        let next = at + 1;
        while (next < events.length && stepAt[events[next]] === entered) next++;
        const left = Math.max(0, x(time[began]));
        const right = Math.min(width, x(next < events.length ? time[events[next]] : trace.length));
        if (entered >= 0 && right - filled >= 0.5) {
            drawSegment(pen, entered, left, Math.max(left + 0.7, right), y);
            filled = right;
        }
        at = next;
    }
    drawPauses(place, index, y);
    drawMarks(place, index, y);
}

/* A line through the time in which the flow stands. */
function drawPauses({ pen, width, x }, index, y) {
    pen.fillStyle = colours.dim;
    for (const [from, to] of trace.flows[index].pauses) {
        const left = Math.max(0, x(trace.time[from]));
        const right = Math.min(width, x(to < 0 ? trace.length : trace.time[to]));
        if (right > left) pen.fillRect(left, y + row.height / 2 - 2, right - left, 4);
    }
}

function drawSegment(pen, entered, left, right, y) {
    const index = trace.a[entered] & 0xffff, width = right - left;
    pen.fillStyle = stepColour(index);
    pen.fillRect(left, y + 3, width > 3 ? width - 1 : width, row.height - 6);
    const name = width > 24 ? stepOfEvent(entered).name : '';
    if (name && (name.length * 6.7 + 8 < width || width > 46)) {
        pen.fillStyle = colours.ink;
        const fits = Math.floor((width - 8) / 6.7);
        pen.fillText(name.length > fits ? name.slice(0, fits - 1) + '…' : name, left + 4, y + row.height / 2);
    }
}

/* Ends, and the events of no flow. */
function drawMarks({ pen, width, x }, index, y) {
    const { events, number } = trace.flows[index], { time, kind, a, kinds } = trace;
    let at = player.begin > 0 ? countUpTo(events.length, i => time[events[i]], player.begin - 1) : 0, last = -9;
    for (; at < events.length && time[events[at]] <= player.end; at++) {
        const i = events[at], ends = kind[i] === kinds.ENDED, failed = isFailure(i), here = x(Math.max(0, time[i]));
        if (!(ends || failed || number === 0) || here > width + 4 || (!failed && here - last < 3)) continue;
        pen.fillStyle = failed ? colours.bad : ends && a[i] >>> 16 === 2 ? colours.good : colours.dim;
        if (failed) {
            pen.fillRect(here - 1, y, 3, row.height - 1);
            pen.beginPath();
            pen.moveTo(here - 5, y);
            pen.lineTo(here + 6, y);
            pen.lineTo(here + 0.5, y + 7);
            pen.fill();
        } else {
            pen.beginPath();
            pen.arc(here, y + row.height / 2, ends ? 3 : 2, 0, 7);
            pen.fill();
        }
        last = here;
    }
}

function drawCursor({ pen, height, x }) {
    const at = Math.round(x(player.now));
    pen.fillStyle = colours.accent;
    pen.fillRect(at - 1, 0, 2, height);
    pen.beginPath();
    pen.moveTo(at - 6, 0);
    pen.lineTo(at + 6, 0);
    pen.lineTo(at, 9);
    pen.fill();
}

/* -- the mouse and fingers -- */

function listenToTracks() {
    const canvas = byId('time'), names = byId('names');
    const timeAt = event => {
        const box = canvas.getBoundingClientRect();
        const share = (event.clientX - box.left - margin) / (box.width - 2 * margin);
        return player.begin + share * (player.end - player.begin);
    };
    const scrub = event => {
        const y = event.clientY - canvas.getBoundingClientRect().top - row.head + names.scrollTop;
        const flow = Math.floor(y / row.height);
        if (event.type === 'pointerdown' && y >= names.scrollTop && flow < trace.flows.length) choose(flow);
        seekTime(timeAt(event));
    };
    canvas.addEventListener('pointerdown', event => {
        play(false);
        canvas.setPointerCapture(event.pointerId);
        scrub(event);
    });
    canvas.addEventListener('pointermove', event => {
        if (canvas.hasPointerCapture(event.pointerId)) scrub(event);
    });
    canvas.addEventListener('wheel', event => {
        event.preventDefault();
        const ns = (player.end - player.begin) / canvas.clientWidth;
        if (event.ctrlKey || event.metaKey) zoom(1.002 ** event.deltaY, timeAt(event));
        else if (event.shiftKey) pan((event.deltaX || event.deltaY) * ns);
        else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX * ns);
        else names.scrollTop += event.deltaY;
    }, { passive: false });
    names.addEventListener('scroll', redraw);
    new ResizeObserver(redraw).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
        readColours();
        redraw();
    });
}
