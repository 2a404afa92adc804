/* The source with its lines. */
const keywords = `
    flow group task step forever shutdown await next stay every done fail become run until for timeout real all any else
    on enter exit init end with signal checkpoint mailbox pool spawn worker job submit describe header source
    prologue import deadline readable writable room idle vacant stopping arrived fired drop limit if while do switch
    case default break continue goto return sizeof struct typedef enum union static const volatile void int char
    bool double float long short unsigned signed`.trim().split(/\s+/);
const words = new RegExp(String.raw`(//.*|/\*[\s\S]*?\*/)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|` +
    String.raw`^[ \t]*(#[ \t]*\w+.*)|\b(${keywords.join('|')})\b|\b(\d[\w.]*)`, 'gm');
const classes = ['comment', 'string', 'directive', 'word', 'number'];

/* What a browser can hold: characters of a line, coloured pieces, lines. */
const readable = { width: 2000, spans: 50000, lines: 200000 };

let shownFile = null;

/* The text as lines of spans. A comment may span lines. */
function colourLines(text) {
    const lines = [[]];
    let width = 0, spans = 0;
    const addPart = (line, part, kind) => {
        const left = readable.width - width, seen = part.length > left ? part.slice(0, left) + '…' : part;
        if (left >= 0) line.push(kind && spans++ < readable.spans ? make('span', { class: kind }, seen) : seen);
        width += part.length;
    };
    const add = (piece, kind) => {
        piece.split('\n').forEach((part, i) => {
            if (i) {
                lines.push([]);
                width = 0;
            }
            if (part) addPart(lines[lines.length - 1], part, kind);
        });
    };
    let at = 0;
    for (const match of text.matchAll(words)) {
        add(text.slice(at, match.index));
        add(match[0], classes[match.slice(1).findIndex(group => group !== undefined)]);
        at = match.index + match[0].length;
    }
    add(text.slice(at));
    if (lines.length > 1 && !lines[lines.length - 1].length) lines.pop();
    return lines.slice(0, readable.lines);
}

function showFile(file) {
    if (shownFile === file) return;
    shownFile = file;
    byId('file').textContent = file.source;
    fill(byId('lines'), colourLines(file.text).map((parts, i) =>
        make('div', { class: 'line', 'data-line': i + 1 }, parts.length ? parts : '\n')));
    colourCoveredLines();
}

/* Marks a line, and faintly the rest of what begins there. */
function showLines(file, first, last) {
    showFile(file);
    const lines = byId('lines').children;
    for (const old of byId('lines').querySelectorAll('.here, .rest')) old.classList.remove('here', 'rest');
    for (let i = first; i <= Math.min(last, lines.length); i++) {
        lines[i - 1].classList.add(i === first ? 'here' : 'rest');
    }
    const line = lines[first - 1], box = byId('lines');
    if (line) box.scrollTop = Math.max(0, line.offsetTop - box.clientHeight / 3);
}
