// SPDX-License-Identifier: MIT
// The search, and the list of pages: open beside the text, closed above it. `sections` comes from index.js.
(function () {
    "use strict";
    const root = document.documentElement.dataset.root, input = document.getElementById("search");
    const found = document.getElementById("found"), list = document.querySelector("nav details");
    const wide = window.matchMedia("(min-width: 52.01rem)");
    const adapt = () => { list.open = wide.matches; };
    wide.addEventListener("change", adapt);
    adapt();

    const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
    const escape = (text) => text.replace(/[&<>"]/g, (c) => entities[c]);

    // A title counts more than a text, and a whole word more than a part of one. All words must be there.
    function score(section, words) {
        let sum = 0;
        for (const word of words) {
            const title = section.low_title.indexOf(word), text = section.low_text.indexOf(word);
            if (title < 0 && text < 0) return 0;
            sum += title < 0 ? 1 : section.low_title === word ? 30 : 10;
        }
        return sum + 1 / (1 + section.text.length);
    }

    function excerpt(section, words) {
        const places = words.map((word) => section.low_text.indexOf(word)).filter((i) => i >= 0);
        const at = places.length ? Math.max(0, Math.min(...places) - 40) : 0;
        const text = escape(section.text.slice(at, at + 160));
        const any = words.map((word) => escape(word).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
        return text.replace(new RegExp(any, "gi"), "<mark>$&</mark>");
    }

    function search() {
        const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        const hits = words.length ? sections.map((s) => [score(s, words), s]).filter(([sum]) => sum > 0) : [];
        hits.sort((a, b) => b[0] - a[0]);
        const item = (s) => `<li><a href="${root}${s.url}">${escape(s.title)}<small>` +
            `${escape(s.page)} · ${excerpt(s, words)}</small></a></li>`;
        found.innerHTML = hits.slice(0, 12).map((hit) => item(hit[1])).join("") ||
            "<li><small>nothing found</small></li>";
        found.hidden = words.length === 0;
    }

    for (const section of sections) {
        section.low_title = section.title.toLowerCase();
        section.low_text = section.text.toLowerCase();
    }
    input.addEventListener("input", search);
    input.addEventListener("keydown", (event) => {
        const first = found.querySelector("a");
        if (event.key === "Enter" && first) first.click();
        if (event.key === "Escape") { input.value = ""; search(); }
        if (event.key === "ArrowDown" && first) { first.focus(); event.preventDefault(); }
    });
    document.addEventListener("keydown", (event) => {
        if (event.key === "/" && document.activeElement !== input) { input.focus(); event.preventDefault(); }
    });
    document.addEventListener("click", (event) => { if (!found.contains(event.target)) found.hidden = true; });
}());
