/* A layered layout. Nodes are on even ranks from top to bottom; the odd ranks between them hold the labels of edges.
 * An edge is a chain of parts, one per rank. Edges to the same node share parts if there would be too many.
 *
 * nodes: { width, height }, receive x (centre) and y (top). The first one is the entry.
 * edges: { from, to, width, height }: indexes, and the size of the label. They receive path and label: { x, y }.
 * left: { parts, points }, how many of them may still be made, is reduced. Returns the size; null: too many. */
const gap = { column: 28, edge: 14, rank: 18, most: 54 };

function layoutLayers(nodes, edges, left) {
    const turned = turnedEdges(nodes.length, edges);
    const ranks = rankNodes(nodes.length, edges, turned);
    const points = edges.reduce((sum, edge) => sum + Math.abs(ranks[edge.to] - ranks[edge.from]), 0);
    left.points -= points;
    if (left.points < 0 || left.parts < 0) return null;
    const layers = makeLayers(nodes, edges, turned, ranks, points > left.parts);
    left.parts -= layers.reduce((sum, layer) => sum + layer.length, 0);
    if (left.parts < 0) return null;
    orderLayers(layers);
    placeParts(layers);
    const size = placeLayers(layers);
    for (const part of layers.flat()) if (part.node) [part.node.x, part.node.y] = [part.x, part.y];
    routeEdges(edges, turned);
    return size;
}

/* Marks edges that close a cycle: a depth-first search finds them. */
function turnedEdges(count, edges) {
    const out = Array.from({ length: count }, () => []);
    const state = new Uint8Array(count), next = new Uint32Array(count), turned = new Uint8Array(edges.length);
    edges.forEach((edge, i) => out[edge.from].push(i));
    for (let root = 0; root < count; root++) {
        if (state[root]) continue;
        const stack = [root];
        state[root] = 1;
        while (stack.length) {
            const at = stack[stack.length - 1];
            if (next[at] === out[at].length) {
                state[at] = 2;
                stack.pop();
                continue;
            }
            const edge = out[at][next[at]++], to = edges[edge].to;
            if (state[to] === 1) turned[edge] = 1;
            else if (state[to] === 0) {
                state[to] = 1;
                stack.push(to);
            }
        }
    }
    return turned;
}

/* The rank of a node is the longest path to it; that of a node without a predecessor is just above its targets. */
function rankNodes(count, edges, turned) {
    const rank = new Int32Array(count), open = new Int32Array(count);
    const out = Array.from({ length: count }, () => []);
    edges.forEach((edge, i) => {
        const [from, to] = turned[i] ? [edge.to, edge.from] : [edge.from, edge.to];
        out[from].push(to);
        open[to]++;
    });
    const roots = [], queue = [];
    for (let i = 0; i < count; i++) if (!open[i]) roots.push(i), queue.push(i);
    for (let at = 0; at < queue.length; at++) {
        for (const to of out[queue[at]]) {
            rank[to] = Math.max(rank[to], rank[queue[at]] + 2);
            if (--open[to] === 0) queue.push(to);
        }
    }
    for (const root of roots) {
        if (root > 0 && out[root].length) rank[root] = least(out[root], to => rank[to]) - 2;
    }
    return rank;
}

function makeLayers(nodes, edges, turned, ranks, shares) {
    const layers = [], shared = new Map();
    const add = (rank, own) => {
        while (layers.length <= rank) layers.push([]);
        const part = { width: 0, height: 0, up: [], down: [], at: 0, key: 0, offset: 0, x: 0, y: 0, top: 0, bottom: 0 };
        layers[rank].push(part);
        return Object.assign(part, own);
    };
    const partOf = (edge, rank, label) => {
        if (label) return add(rank, { edge, label, width: edge.width, height: edge.height });
        const key = `${edge.to} ${rank}`, part = shares && shared.get(key) || add(rank, { edge });
        shared.set(key, part);
        return part;
    };
    const parts = nodes.map((node, i) => add(ranks[i], { node, width: node.width, height: node.height }));
    edges.forEach((edge, i) => {
        const [top, bottom] = turned[i] ? [edge.to, edge.from] : [edge.from, edge.to];
        const labelled = turned[i] ? ranks[bottom] - 1 : ranks[top] + 1;
        edge.parts = [parts[top]];
        for (let rank = ranks[top] + 1; rank < ranks[bottom]; rank++) {
            edge.parts.push(partOf(edge, rank, rank === labelled));
        }
        edge.parts.push(parts[bottom]);
        for (let n = 1; n < edge.parts.length; n++) {
            const above = edge.parts[n - 1], below = edge.parts[n];
            if (above.edge !== edge && below.edge !== edge) continue; // another edge has joined these
            above.down.push(below);
            below.up.push(above);
        }
    });
    return layers;
}

/* -- order within a layer: barycentres, up and down; the order with the fewest crossings stays -- */

function orderLayers(layers) {
    const number = () => layers.forEach(layer => layer.forEach((part, i) => { part.at = i; }));
    let best = null, fewest = Infinity;
    number();
    for (let sweep = 0; sweep < 16 && fewest > 0; sweep++) {
        const crossings = countCrossings(layers);
        if (crossings < fewest) [fewest, best] = [crossings, layers.map(layer => layer.slice())];
        const down = sweep % 2 === 0;
        for (const layer of down ? layers : layers.slice().reverse()) {
            for (const part of layer) {
                const near = down ? part.up : part.down;
                part.key = near.length ? near.reduce((sum, one) => sum + one.at, 0) / near.length : part.at;
            }
            layer.sort((a, b) => a.key - b.key || a.at - b.at);
            layer.forEach((part, i) => { part.at = i; });
        }
    }
    if (best && fewest <= countCrossings(layers)) best.forEach((layer, i) => { layers[i] = layer; });
    number();
}

/* Links that cross are inversions of the order of their lower ends: `ended` is a Fenwick tree of those seen before. */
function countCrossings(layers) {
    let crossings = 0;
    layers.forEach((layer, n) => {
        const size = (layers[n + 1] || []).length, ended = new Uint32Array(size + 1);
        let seen = 0;
        for (const part of layer) {
            const ends = part.down.map(one => one.at).sort((a, b) => a - b);
            for (const end of ends) {
                let before = 0;
                for (let at = end + 1; at > 0; at -= at & -at) before += ended[at];
                crossings += seen - before;
            }
            for (const end of ends) for (let at = end + 1; at <= size; at += at & -at) ended[at]++;
            seen += ends.length;
        }
    });
    return crossings;
}

/* -- horizontal places: parts go to the mean of their neighbours, as far as the layer has room -- */

function placeParts(layers) {
    for (const layer of layers) {
        let x = 0;
        for (const part of layer) {
            part.x = x + part.width / 2;
            x += part.width + gap.column;
        }
    }
    for (let pass = 0; pass < 24; pass++) {
        const sides = pass > 20 ? ['up', 'down'] : [pass % 2 ? 'down' : 'up'];
        for (const layer of pass % 2 ? layers.slice().reverse() : layers) spread(layer, sides);
    }
    const parts = layers.flat(), left = least(parts, part => part.x - part.width / 2);
    for (const part of parts) part.x -= left;
}

const straightness = (a, b) => (a.node ? 1 : 3) * (b.node ? 1 : 3);

/* The least squares of the distances to the wanted places, under minimal distances: adjacent violators are pooled. */
function spread(layer, sides) {
    const blocks = [];
    let offset = 0;
    layer.forEach((part, i) => {
        if (i > 0) {
            const before = layer[i - 1];
            offset += (before.width + part.width) / 2 + (before.width && part.width ? gap.column : gap.edge);
        }
        let sum = 0, weight = 0;
        for (const side of sides) {
            for (const one of part[side]) {
                sum += one.x * straightness(part, one);
                weight += straightness(part, one);
            }
        }
        part.offset = offset;
        let block = { sum: (weight ? sum : part.x * 0.1) - (weight || 0.1) * offset, weight: weight || 0.1, count: 1 };
        while (blocks.length) {
            const last = blocks[blocks.length - 1];
            if (last.sum / last.weight <= block.sum / block.weight) break;
            blocks.pop();
            block = { sum: last.sum + block.sum, weight: last.weight + block.weight, count: last.count + block.count };
        }
        blocks.push(block);
    });
    let i = 0;
    for (const block of blocks) {
        for (let n = 0; n < block.count; n++, i++) layer[i].x = block.sum / block.weight + layer[i].offset;
    }
}

/* -- vertical places and paths -- */

function placeLayers(layers) {
    let y = 0, right = 0;
    layers.forEach((layer, i) => {
        const height = most(layer, part => part.height);
        for (const part of layer) {
            part.top = y;
            part.bottom = y + height;
            part.y = part.node ? y : y + (height - part.height) / 2;
            right = Math.max(right, part.x + part.width / 2);
        }
        let shift = 0;
        for (const part of layer) for (const one of part.down) shift = Math.max(shift, Math.abs(part.x - one.x));
        y += height + (i + 1 < layers.length ? Math.min(gap.most, Math.max(gap.rank, shift / 7)) : 0);
    });
    return { width: right, height: y };
}

/* Where edges meet a node they are side by side, in the order of their next parts. */
function portsOf(edges) {
    const ports = new Map();
    const add = (node, side, edge, next) => {
        if (!ports.has(node)) ports.set(node, { top: [], bottom: [] });
        ports.get(node)[side].push({ edge, next });
    };
    for (const edge of edges) {
        const last = edge.parts.length - 1;
        add(edge.parts[0], 'bottom', edge, edge.parts[1].x);
        add(edge.parts[last], 'top', edge, edge.parts[last - 1].x);
    }
    const x = new Map(edges.map(edge => [edge, {}]));
    for (const [part, sides] of ports) {
        for (const side of ['top', 'bottom']) {
            const list = sides[side].sort((a, b) => a.next - b.next);
            const step = Math.min(22, (part.width - 24) / Math.max(1, list.length));
            list.forEach((port, i) => { x.get(port.edge)[side] = part.x + (i - (list.length - 1) / 2) * step; });
        }
    }
    return x;
}

function routeEdges(edges, turned) {
    const ports = portsOf(edges);
    edges.forEach((edge, i) => {
        const last = edge.parts.length - 1;
        const begin = { x: ports.get(edge).bottom, y: edge.parts[0].node.y + edge.parts[0].height };
        const points = [begin];
        for (const part of edge.parts.slice(1, last)) {
            points.push({ x: part.x, y: part.top });
            if (part.bottom > part.top) points.push({ x: part.x, y: part.bottom });
            if (part.label) edge.label = { x: part.x, y: part.y };
        }
        points.push({ x: ports.get(edge).top, y: edge.parts[last].top });
        if (begin.y < edge.parts[0].bottom) points.splice(1, 0, { x: begin.x, y: edge.parts[0].bottom });
        if (turned[i]) points.reverse();
        const end = points[points.length - 1];
        edge.path = { d: curve(points), end: [round(end.x), round(end.y)], up: turned[i] === 1 };
        delete edge.parts;
    });
}

function curve(points) {
    let path = `M${round(points[0].x)} ${round(points[0].y)}`;
    for (let i = 1; i < points.length; i++) {
        const a = points[i - 1], b = points[i], middle = round((a.y + b.y) / 2);
        if (Math.abs(a.x - b.x) < 0.5) path += `L${round(b.x)} ${round(b.y)}`;
        else path += `C${round(a.x)} ${middle} ${round(b.x)} ${middle} ${round(b.x)} ${round(b.y)}`;
    }
    return path;
}

const round = value => Math.round(value * 10) / 10;
