/* Puts the page together, and joins it with the keyboard and files. */
function listFlows() {
    fill(byId('flows'), [...model.flows.keys()].map(name => make('option', { value: name }, name)));
    const names = model.files.map(file => baseName(file.source));
    byId('title').textContent = `${names[0] || 'uflow'}${names.length > 1 ? ` and ${names.length - 1} more` : ''}`;
    byId('title').title = names.join(', ');
    document.title = `${names[0] || 'uflow'} – uflow`;
    if (shown.flow) byId('flows').value = shown.flow.name;
}

function showReplay(data) {
    if (data.uflow_replay !== 2) return say('This replay is of another version of uflow-trace.');
    if (!data.events.length) return say('There are no events in this trace.');
    say('');
    document.dispatchEvent(new CustomEvent('uflow-replay', { detail: data })); // for tests
    readColours();
    loadTrace(data);
    startReplay();
    sayIfOther();
}

/* Tells if no diagram of the page is of a flow of the trace. */
function sayIfOther() {
    const types = trace.flows.filter(flow => flow.number).map(flow => flow.type);
    if (!model.files.length || !types.length || types.some(type => model.flows.has(type.name))) return;
    const sources = [...new Set(types.map(type => baseName(type.source)))].join(', ');
    const shownFiles = model.files.map(file => baseName(file.source)).join(', ');
    say(`The diagrams are of ${shownFiles}, the trace is of ${sources}.`);
}

/* A replay, coverage, or another page of ufc or uflow-trace. */
async function openFile(file) {
    const head = new TextDecoder().decode(await file.slice(0, 8).arrayBuffer());
    if (head.startsWith('\x7fELF')) {
        return say(`${file.name} is a core dump. Convert it: uflow-trace --format=replay -o replay.json ${file.name}`);
    }
    try {
        if (head === 'UFLOWTRC') return showReplay(readBinary(await file.arrayBuffer()));
        const text = await file.text();
        const isPage = text.trimStart().startsWith('<');
        const data = isPage ? readBlocks(new DOMParser().parseFromString(text, 'text/html')) : JSON.parse(text);
        listFlows();
        if (data && data.format === 'uflow-cov') loadCoverage(data);
        else if (data) showReplay(data);
        else if (trace) choose(player.chosen);
        else if (model.files.length) openFlow(model.files[model.files.length - 1].flows);
    } catch (error) {
        const why = error instanceof TypeError ? 'it is damaged' : error.message;
        say(`${file.name} is no page, trace, replay or coverage: ${why}`);
    }
}

async function openFiles(files) {
    for (const file of files) await openFile(file);
    document.dispatchEvent(new Event('uflow-opened')); // for tests
}

const keys = {
    ' ': () => play(!player.playing),
    ArrowRight: event => step(1, event.shiftKey),
    ArrowLeft: event => step(-1, event.shiftKey),
    ArrowDown: () => choose(player.chosen + 1),
    ArrowUp: () => choose(player.chosen - 1),
    Home: () => seek(0),
    End: () => seek(trace.count - 1),
    f: () => nextFailure(1),
    F: () => nextFailure(-1),
    '+': () => zoom(0.5),
    '-': () => zoom(2),
    0: () => zoom(Infinity),
};

function onKey(event) {
    const inField = event.target.closest('input, select, textarea');
    const scrolls = event.target.closest('#lines, #event-rows') && event.key.startsWith('Arrow');
    if (event.key === 'Escape' && !byId('keys').hidden) return byId('help').click();
    if (inField || scrolls || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') byId('search').focus();
    else if (event.key === '?') byId('help').click();
    else if (trace && keys[event.key] && !(event.key === ' ' && event.target.closest('button'))) keys[event.key](event);
    else return;
    event.preventDefault();
}

function listen() {
    const clicks = {
        'to-begin': () => seek(0), back: () => step(-1), play: () => play(!player.playing), step: () => step(1),
        'to-end': () => seek(trace.count - 1), failure: event => nextFailure(event.shiftKey ? -1 : 1),
        'zoom-in': () => zoom(0.5), 'zoom-out': () => zoom(2), 'zoom-all': () => zoom(Infinity),
    };
    for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener('click', act);
    byId('speed').addEventListener('change', setSpeed);
    byId('event-rows').addEventListener('scroll', redraw);
    byId('event-rows').addEventListener('scrollend', event => {
        event.target.scrollTop = wholeRows(event.target.scrollTop);
    });
    byId('flows').addEventListener('change', event => showFlow(event.target.value));
    byId('help').addEventListener('click', () => {
        byId('keys').hidden = !byId('keys').hidden;
        byId('help').setAttribute('aria-expanded', String(!byId('keys').hidden));
    });
    byId('open').addEventListener('change', event => openFiles(event.target.files));
    document.addEventListener('keydown', onKey);
    document.addEventListener('dragover', event => {
        event.preventDefault();
        document.body.classList.add('dropping');
    });
    document.addEventListener('dragleave', () => document.body.classList.remove('dropping'));
    document.addEventListener('drop', event => {
        event.preventDefault();
        document.body.classList.remove('dropping');
        openFiles([...event.dataTransfer.files]);
    });
    listenToTracks();
    listenToSearch();
    for (const divider of document.querySelectorAll('.divider')) listenToDivider(divider);
}

const enclosed = readBlocks(document);
listFlows();
listen();
if (model.flows.size) openFlow([...model.flows.values()]);
else if (model.files.length) showFile(model.files[0]);
if (enclosed) showReplay(enclosed);
