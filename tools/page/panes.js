/* Dividers between panes. `share`: the part of the box that the pane above or on the left has, in percent. */
const shares = {
    chart: { box: 'main', upright: true, share: 60 },
    upper: { box: 'body', share: 50 },
    names: { box: '#tracks', upright: true, share: 14 },
    tracks: { box: '#replay', share: 64 },
};

function setShare(divider, percent) {
    const name = divider.dataset.share, share = Math.max(5, Math.min(95, percent));
    shares[name].share = share;
    document.documentElement.style.setProperty(`--${name}`, `${share}%`);
    divider.setAttribute('aria-valuenow', Math.round(share));
}

function listenToDivider(divider) {
    const pane = shares[divider.dataset.share], less = pane.upright ? 'ArrowLeft' : 'ArrowUp';
    const moves = { [less]: -2, [pane.upright ? 'ArrowRight' : 'ArrowDown']: 2, Home: -100, End: 100 };
    const attributes = { role: 'separator', tabindex: 0, 'aria-orientation': pane.upright ? 'vertical' : 'horizontal' };
    for (const [name, value] of Object.entries(attributes)) divider.setAttribute(name, value);
    setShare(divider, pane.share);
    divider.addEventListener('keydown', event => {
        if (!moves[event.key]) return;
        event.preventDefault();
        event.stopPropagation();
        setShare(divider, pane.share + moves[event.key]);
    });
    divider.addEventListener('pointerdown', event => {
        event.preventDefault();
        divider.setPointerCapture(event.pointerId);
    });
    divider.addEventListener('pointermove', event => {
        if (!divider.hasPointerCapture(event.pointerId)) return;
        const box = document.querySelector(pane.box).getBoundingClientRect();
        const share = pane.upright ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
        setShare(divider, share * 100);
    });
}
