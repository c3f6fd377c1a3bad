import type { Break, Exchange } from './breaking-proxy';

const kindOf = (block: string) => /^event: (.*)$/m.exec(block)?.[1] ?? '';
const isSending = ({ method, path }: Exchange) => method === 'POST' && path.endsWith('/turns');
const isAnswering = ({ method, path }: Exchange) => method === 'POST' && path.includes('/permissions/');

/** Does `change` to the first block of that kind in each stream. */
const once = (kind: string, change: (block: string) => readonly string[]) => () => {
  let done = false;
  return (block: string) => {
    if (done || kindOf(block) !== kind) return [block];
    done = true;
    return change(block);
  };
};

/** Gives the first block of that kind after the one that follows it. */
const swapped = (kind: string) => () => {
  let held: string | null = null;
  let done = false;
  return (block: string) => {
    if (!done && kindOf(block) === kind) {
      done = true;
      held = block;
      return [];
    }
    const both = held === null ? [block] : [block, held];
    held = null;
    return both;
  };
};

/** Ways to disobey over REST and server-sent events, each of which a client would suffer from. */
export const breaks = (token: string): readonly Break[] => [
  { name: 'an event is lost', noticedBy: ['send'], events: once('turn:start', () => []) },
  { name: 'an event comes twice', noticedBy: ['send'], events: once('turn:start', (block) => [block, block]) },
  { name: 'two events change places', noticedBy: ['send'], events: swapped('turn:start') },
  {
    name: 'a whole block differs from its deltas',
    noticedBy: ['send'],
    events: once('chat:complete', (block) => [block.replace('"text":"', '"text":"Not ')]),
  },
  {
    name: 'the last event id is ignored',
    noticedBy: ['reconnect'],
    request: (exchange) => {
      const { 'last-event-id': _, ...headers } = exchange.headers;
      return { ...exchange, headers };
    },
  },
  {
    name: 'a stream may begin ahead of its log',
    noticedBy: ['cursor-ahead'],
    request: (exchange) =>
      Number(exchange.headers['last-event-id'] ?? 0) < 1_000_000
        ? exchange
        : { ...exchange, headers: { ...exchange.headers, 'last-event-id': '1' } },
  },
  {
    name: 'a busy session has another code',
    noticedBy: ['busy'],
    reply: (reply) => ({ ...reply, body: reply.body.replaceAll('TURN_IN_PROGRESS', 'FORBIDDEN') }),
  },
  {
    name: 'an interrupt is accepted and does nothing',
    noticedBy: ['interrupt'],
    request: (exchange) => (exchange.path.endsWith('/interrupt') ? { status: 202, body: '{}' } : exchange),
  },
  {
    name: 'an unknown session is forbidden instead of not found',
    noticedBy: ['foreign-ids'],
    reply: (reply) => (reply.status === 404 ? { status: 403, body: '{"code":"FORBIDDEN"}' } : reply),
  },
  {
    name: 'a session of another team says so',
    noticedBy: ['foreign-ids'],
    reply: (reply, { path }) =>
      reply.status === 404 && !path.includes('sess_01ARZ3NDEKTSV4RRFFQ69G5FAV')
        ? { ...reply, body: reply.body.replace('"detail":"', '"detail":"Of another team. ') }
        : reply,
  },
  {
    name: 'an agent may approve',
    noticedBy: ['agent-may-not-approve'],
    request: (exchange) =>
      isAnswering(exchange)
        ? { ...exchange, headers: { ...exchange.headers, authorization: `Bearer ${token}` } }
        : exchange,
  },
  {
    name: 'an answered request may be answered again',
    noticedBy: ['permission-allowed'],
    reply: (reply, exchange) => (isAnswering(exchange) && reply.status === 409 ? { status: 200, body: '{}' } : reply),
  },
  {
    name: 'a denial allows',
    noticedBy: ['permission-denied'],
    request: (exchange) =>
      isAnswering(exchange) ? { ...exchange, body: exchange.body.replace('"deny"', '"allow_once"') } : exchange,
  },
  {
    name: 'a token that has ended still works',
    noticedBy: ['expiry', 'revocation'],
    request: (exchange) =>
      isSending(exchange)
        ? { ...exchange, headers: { ...exchange.headers, authorization: `Bearer ${token}` } }
        : exchange,
  },
];
