/** What a resource's address stands for; null for one that is none of ours. */
type McpResource =
  | { kind: 'sessions' | 'harnesses' | 'runtime' }
  | { kind: 'session' | 'log'; sessionId: string }
  | { kind: 'events'; sessionId: string; since: number }
  | { kind: 'file'; sessionId: string; path: string };

const BASE = 'chirality://v1/';
const OF_SESSION = /^session\/(\w{1,60})(?:\/(events|log))?$/;
const FILE = /^session\/(\w{1,60})\/files\/(.{1,4000})$/s;

export const sessionUri = (sessionId: string) => `${BASE}session/${sessionId}`;
export const eventsUri = (sessionId: string) => `${sessionUri(sessionId)}/events`;

export const FIXED_RESOURCES = [
  { uri: `${BASE}sessions`, name: 'sessions', description: 'The sessions that you may see, latest change first.' },
  { uri: `${BASE}harnesses`, name: 'harnesses', description: 'What can run a session here.' },
  { uri: `${BASE}runtime`, name: 'runtime', description: 'Versions, event kinds, commands, features and limits.' },
] as const;

export const RESOURCE_TEMPLATES = [
  { uriTemplate: `${BASE}session/{id}`, name: 'session', description: 'A session as it is now.' },
  {
    uriTemplate: `${BASE}session/{id}/events{?since}`,
    name: 'events',
    description: 'Events of a session after the id `since`, as a page; `through` is where the next one begins.',
  },
  { uriTemplate: `${BASE}session/{id}/log`, name: 'log', description: 'The newest turns of a session, as text.' },
  {
    uriTemplate: `${BASE}session/{id}/files/{+path}`,
    name: 'file',
    description: 'A file of a session’s workspace, by its path in it.',
  },
] as const;

export function resourceOf(uri: string): McpResource | null {
  if (!uri.startsWith(BASE)) return null;
  const [path = '', query = ''] = splitOnce(uri.slice(BASE.length), '?');
  if (path === 'sessions' || path === 'harnesses' || path === 'runtime') return query === '' ? { kind: path } : null;
  const [, sessionId, part] = OF_SESSION.exec(path) ?? [];
  if (sessionId !== undefined) {
    if (part === 'events') return eventsOf(sessionId, query);
    return query === '' ? { kind: part === 'log' ? 'log' : 'session', sessionId } : null;
  }
  // A name may hold a question mark.
  const [, ofFile, encoded] = FILE.exec(uri.slice(BASE.length)) ?? [];
  const file = encoded === undefined ? null : decoded(encoded);
  return ofFile !== undefined && file !== null ? { kind: 'file', sessionId: ofFile, path: file } : null;
}

function eventsOf(sessionId: string, query: string): McpResource | null {
  const since = /^(?:since=(\d{1,15}))?$/.exec(query);
  return since ? { kind: 'events', sessionId, since: Number(since[1] ?? 0) } : null;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
