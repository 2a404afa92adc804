/* Puts the page together, and joins it with the keyboard and files. */
function listFlows() {
    byId('flows').replaceChildren(...[...model.flows.keys()].map(name => make('option', { value: name }, name)));
    const names = model.files.map(file => baseName(file.source));
    byId('title').textContent = names.join(', ') || 'uflow';
    document.title = `${names[0] || 'uflow'} – uflow`;
}

readBlocks(document);
listFlows();
byId('flows').addEventListener('change', event => showFlow(event.target.value));
if (model.flows.size) showFlow(model.flows.keys().next().value);
