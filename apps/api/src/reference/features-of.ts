import type { Route } from '../core/http/route-table';

/** What the server offers, by name: the nouns of its routes, and the ways in which events come. */
export function featuresOf(routes: readonly Route[], hasSockets: boolean): string[] {
  const nouns = routes.map(({ noun }) => noun.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase());
  const streams = routes.some(({ notes }) => notes.media === 'text/event-stream') ? ['server-sent-events'] : [];
  return [...new Set([...nouns, ...streams, ...(hasSockets ? ['socket.io'] : [])])].sort();
}
