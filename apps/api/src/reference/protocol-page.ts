import {
  COMMAND_INPUTS,
  EVENT_PAYLOADS,
  PROBLEM_STATUS,
  TURN_ERROR_CODES,
  FINAL_TURN_STATUSES,
  LIVE_TURN_STATUSES,
  type Command,
} from '@chirality/contracts';
import type { Route } from '../core/http/route-table';
import { jsonSchemaOf, namedSchemas, typeText, type JsonSchema, type NamedContract } from './json-schema';

/** `TurnError` is left out: its codes are listed under the problems. */
const OBJECTS: NamedContract[] = [
  'Session',
  'Turn',
  'Options',
  'ResolvedOptions',
  'TokenUsage',
  'Timings',
  'Envelope',
  'Originator',
  'Permission',
  'SessionRule',
  'ProjectRule',
  'Project',
  'ProjectSource',
  'Persona',
  'PersonaDetail',
  'PersonaProblem',
  'PersonaNarrowing',
  'ResolvedPersona',
  'TeamPersona',
  'PersonaVersion',
  'AssembledPrompt',
  'FileEntry',
  'FileContent',
  'WorkspaceDiff',
  'User',
  'Team',
  'Member',
  'Invitation',
  'Worker',
  'QueueState',
  'UsageReport',
  'Price',
  'AuditEntry',
  'Instance',
  'Readiness',
  'Problem',
];

/**
 * The protocol as one page of tables, made from the contracts and the routes. The same contracts give the same text.
 */
export function protocolPage(routes: readonly Route[]): string {
  return (
    [
      '# Protocol',
      'Made from `libs/contracts` and the routes of `apps/api` by `npm run generate`; change it there.',
      'JSON everywhere. Times are ISO 8601 in UTC, durations end in `Ms`, money is a decimal string of US dollars, ids are a prefix and a ULID. ' +
        'Lists answer `{ data, nextCursor }`. Unknown fields and kinds are to be ignored. An id of another team answers byte for byte what an unknown one does.',
      EVOLUTION,
      objectsSection(),
      statusSection(),
      eventsSection(),
      live(),
      routesSection(routes),
      problemsSection(),
    ].join('\n\n') + '\n'
  );
}

function objectsSection(): string {
  const schemas = namedSchemas();
  const parts = OBJECTS.map((name) => `### ${name}\n\n${memberTable(schemas[name] ?? {})}`);
  return ['## Objects', ...parts].join('\n\n');
}

function memberTable(schema: JsonSchema): string {
  if (!schema.properties) return code(typeText(schema));
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties).map(([key, value]) => [
    `\`${key}\`${required.has(key) ? '' : ' (optional)'}`,
    code(typeText(value)),
  ]);
  return table(['member', 'type'], rows);
}

function statusSection(): string {
  return [
    '## Statuses of a turn',
    `Live: ${LIVE_TURN_STATUSES.map((status) => `\`${status}\``).join(' ')}. Final: ${FINAL_TURN_STATUSES.map((status) => `\`${status}\``).join(' ')}. ` +
      'A turn reaches exactly one final status; its one last event is `turn:end`.',
  ].join('\n\n');
}

function eventsSection(): string {
  const rows = Object.entries(EVENT_PAYLOADS).map(([kind, schema]) => [
    `\`${kind}\``,
    code(typeText(jsonSchemaOf(schema, 'output'))),
  ]);
  return [
    '## Events',
    'Envelope: see above; `id` counts 1, 2, 3 … per session, without gap or repeat, over turns, restarts and workers.',
    table(['kind', 'payload'], rows),
  ].join('\n\n');
}

const EVOLUTION = `## Versions

\`GET /v1/handshake\` answers, without a token, what this server is and can do: \`protocolVersion\`, \`serverVersion\`, event kinds, commands, features (groups of routes, and transports), limits, and the harnesses that its workers have now. A client reads it once, relies on what is named there, and ignores names that it does not know.

The protocol grows by additions. Within one first number of \`protocolVersion\`:

- routes, optional fields of requests, fields of answers, event kinds, values of enumerations in answers, and codes of problems may be added; each release that adds something raises the second number once;
- nothing is removed, renamed, or required that was not, and no request that was accepted is refused for its form;
- what is to go is marked \`deprecated\` in the OpenAPI file for at least one release before it goes, and the changelog names what takes its place.

\`docs/released/protocol.json\` holds routes, schemas and events of the last release. \`npm test\` compares (\`scripts/protocol.spec.mjs\`) and refuses what breaks a client of that release.`;

const live = () => `## Live

**Socket.IO**, WebSocket transport only, default path, \`auth: { token, clientId }\`. A connection whose token is missing, expired or foreign is refused with a problem as \`data\` of the \`connect_error\`.

| from the client | answer |
|---|---|
| \`session:attach { session, after }\` | \`{ lastEventId }\` or a problem; then \`events\` after \`after\`, in pages of at most 500, then live |
| \`session:detach { session }\` | none |
| \`session:typing { session, typing? }\` | none |
| \`permission:answer { session, permissionId, decision, reason?, answers?, input? }\` | \`{ permission }\`, or the problem that REST answers |
| \`auth:refresh { token }\` | \`{ expiresAt }\` or a problem |

| from the server | when |
|---|---|
| \`events { session, events, through }\` | in order, each event once |
| \`presence { session, people: [{ userId, name, typing }] }\` | someone joined, left or is typing |
| \`resync { session, after }\` | this connection is too slow: nothing more comes until it attaches again after that id |
| \`token:expiring { expiresAt }\` | a minute before a connection of a signed-in user is closed; of a token of a program, five minutes before its end, after which the connection stays open for a minute more and takes \`auth:refresh\` only |
| \`session:closed { session, problem }\` | the session may no longer be seen |

**SSE**: \`GET /v1/sessions/:id/events\` with \`Accept: text/event-stream\`. \`id:\` is the event's id, \`event:\` its kind, \`data:\` the envelope. Resumes by \`Last-Event-ID\` or \`after\`. Comments keep it open. \`event: token-expiring\` with \`{ expiresAt }\` announces the end of the token. It ends with \`event: token-expired\` or \`event: session-closed\`; a reader that is too slow is disconnected and resumes.

**WebSocket**: \`GET /v1/ws\`, one JSON object per text frame, subprotocol \`chirality.v1\` (may be left out). The token comes as \`Authorization: Bearer\`, from a browser as the subprotocol \`chirality.bearer.<token>\` beside the other, or in the handshake; never in the address. Cookies count for nothing, and pages of other origins are refused. \`?session=&lastEventId=\` attaches as soon as the handshake is answered.

| frame of the client | answer |
|---|---|
| \`{ frame: 'handshake', id?, body: { protocolVersion, token?, clientId? } }\`, the first one, within five seconds | \`{ frame: 'handshake', id?, body }\`: what \`GET /v1/handshake\` answers, and \`clientId\`, \`userId\`, \`identityClass\`, \`expiresAt\`. Another first number than the server’s is \`HANDSHAKE_VERSION_MISMATCH\`. A later one with a \`token\` replaces the token |
| \`{ frame: 'command', id?, command, body }\` | \`{ frame: 'answer', id?, body, warnings? }\` or \`{ frame: 'error', id?, body: Problem }\`, in any order; before the handshake \`HANDSHAKE_REQUIRED\` |

| frame of the server | when |
|---|---|
| \`{ frame: 'event', body: Envelope }\` | in order, each event once |
| \`{ frame: 'notice', kind, body }\` | \`token:expiring\`, \`presence\` and \`session:closed\`, as over Socket.IO |
| \`{ frame: 'error', body: Problem }\` without an \`id\` | the frame could not be read, or the connection ends |

${commandsTable()}

A member that the server does not know is left out of account, and named in \`warnings\` (\`{ code: 'UNKNOWN_FIELD', field, detail }\`). REST refuses an unknown member of a body with \`VALIDATION_FAILED\`, and ignores one of a query. Rights, claims, limits and refusals are those of the routes; \`turn:send\` takes as long a message as REST, other frames have at most 256 KiB.

Closed with 4401: no token that is good, or no longer; 4406: the protocol’s version; 4408: no handshake; 4429: the client reads too slowly; 1008: frame after frame was faulty or beyond the rate; 1009: a frame too large; 1012: the server restarts. Connect again with the last event’s id, and nothing is missed or repeated. Pings come every 15 seconds.

**Where to begin**: \`GET /v1/sessions/:id/transcript\` answers the newest turns through the event \`through\`, folded into what a person reads, with what is said of the whole session (its cost, tasks and changes). Attach after \`through\` and fold what comes. \`earlier\` is null where these are all turns; else \`?before=<earlier>\` answers the turns right before them, with their \`earlier\`. A page begins with at most 2,000 events and 1 MiB of their payloads, but never with less than one turn; the newest one grows with the session to about twice that before it begins later. A session within that is one answer. Every event is shown once: a page says with \`through\` how much of what is said later of its turns (\`tool:outcome\`) it holds.

The envelope is the same, byte for byte, on Socket.IO, WebSocket, SSE and in the JSON of the same address.`;

function commandsTable(): string {
  const rows = Object.entries(COMMAND_INPUTS).map(([command, input]) => [
    `\`${command}\``,
    code(typeText(jsonSchemaOf(input, 'input'))),
    COMMAND_ANSWERS[command as Command],
  ]);
  return table(['command', 'body', 'answers'], rows);
}

const COMMAND_ANSWERS: Record<Command, string> = {
  'session:create': '`{ session }`',
  'session:attach': '`{ session, lastEventId }`; then events',
  'session:detach': '`{}`',
  'session:end': '`{}`',
  'session:set_model': '`{ session }`',
  'turn:send': '`{ turn, final }`',
  'turn:interrupt': '`{ turn }`, null where none was live',
  'permission:answer': '`{ permission }`',
  'plan:enter': '`{ session }`',
  'plan:exit': '`{ session }`',
  'events:read': '`{ data: Envelope[], nextCursor }`',
  'usage:read': '`UsageReport`',
  custom: '`{ event: Envelope }`',
};

function routesSection(routes: readonly Route[]): string {
  const rows = routes
    .filter(({ path }) => path.startsWith('/v1') || path.startsWith('/health') || path === '/metrics')
    .map(({ method, path, notes }) => [
      `\`${method.toUpperCase()} ${path}\`${notes.public ? ' (open)' : ''}`,
      notes.summary ?? '',
      notes.body ? code(typeText(jsonSchemaOf(notes.body, 'input'))) : '',
      `${notes.status ?? 200}${notes.answer ? ` ${code(typeText(jsonSchemaOf(notes.answer, 'output')))}` : ''}`,
    ]);
  return [
    '## Routes',
    'A bearer token unless marked open. `docs/openapi.json` has the same in full.',
    table(['route', 'does', 'body', 'answers'], rows),
  ].join('\n\n');
}

function problemsSection(): string {
  const rows = Object.entries(PROBLEM_STATUS).map(([name, status]) => [`\`${name}\``, String(status)]);
  return [
    '## Problems',
    'RFC 9457 as `application/problem+json`: `type`, `title`, `status`, `code`, `detail` (says what to do), `requestId`.',
    table(['code', 'status'], rows),
    `A turn's \`error.code\` is one of these or ${TURN_ERROR_CODES.map((name) => `\`${name}\``).join(' ')}.`,
  ].join('\n\n');
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
