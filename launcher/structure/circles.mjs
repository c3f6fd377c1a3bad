/** The groups of nodes that reach each other, in a graph from each node to the nodes that it leads to. */
export function circlesOf(graph) {
  const knot = withoutEnds(graph);
  const reached = new Map([...knot.keys()].map((node) => [node, reachedFrom(knot, node)]));
  const left = new Set([...knot.keys()].filter((node) => reached.get(node).has(node)));
  return [...left].flatMap((node) => {
    if (!left.has(node)) return [];
    const circle = [...left].filter((other) => reached.get(node).has(other) && reached.get(other).has(node));
    for (const each of circle) left.delete(each);
    return [circle.sort()];
  });
}

/** The graph without the nodes that lead nowhere, until each that is left leads to another: usually nothing. */
function withoutEnds(graph) {
  const knot = new Map(graph);
  for (let before = -1; before !== knot.size;) {
    before = knot.size;
    for (const [node, next] of knot) if (!next.some((each) => knot.has(each))) knot.delete(node);
  }
  return knot;
}

function reachedFrom(graph, start) {
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
 */
export function shortestCircle(graph, [start]) {
  const ways = [[start]];
  const seen = new Set();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of graph.get(way.at(-1)) ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  throw new Error(`${start} is in no circle`);
}
