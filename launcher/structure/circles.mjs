/** @typedef {ReadonlyMap<string, readonly string[]>} Graph From each node to the nodes that it leads to. */

/**
 * The groups of nodes that reach each other, in a graph from each node to the nodes that it leads to.
 * @param {Graph} graph
 */
export function circlesOf(graph) {
  const knot = withoutEnds(graph);
  const reached = new Map([...knot.keys()].map((node) => [node, reachedFrom(knot, node)]));
  const reaches = (/** @type {string} */ from, /** @type {string} */ to) => reached.get(from)?.has(to) === true;
  const left = new Set([...knot.keys()].filter((node) => reaches(node, node)));
  return [...left].flatMap((node) => {
    if (!left.has(node)) return [];
    const circle = [...left].filter((other) => reaches(node, other) && reaches(other, node));
    for (const each of circle) left.delete(each);
    return [circle.sort()];
  });
}

/**
 * The graph without the nodes that lead nowhere, until each that is left leads to another: usually nothing.
 * @param {Graph} graph
 */
function withoutEnds(graph) {
  const knot = new Map(graph);
  for (let before = -1; before !== knot.size;) {
    before = knot.size;
    for (const [node, next] of knot) if (!next.some((each) => knot.has(each))) knot.delete(node);
  }
  return knot;
}

/**
 * @param {Graph} graph
 * @param {string} start
 * @returns {Set<string>}
 */
function reachedFrom(graph, start) {
  /** @type {Set<string>} */
  const reached = new Set();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/**
 * A shortest way from the first node of such a group through the group and back: that node is its beginning and its
 * end.
 * @param {Graph} graph
 * @param {string[]} circle
 */
export function shortestCircle(graph, [start = '']) {
  const ways = [{ way: [start], end: start }];
  const seen = new Set();
  for (let open = ways.shift(); open !== undefined; open = ways.shift()) {
    for (const next of graph.get(open.end) ?? []) {
      if (next === start) return [...open.way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push({ way: [...open.way, next], end: next });
    }
  }
  throw new Error(`${start} is in no circle`);
}
