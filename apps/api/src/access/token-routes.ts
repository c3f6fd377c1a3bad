import { COMMANDS, type Command } from '@chirality/contracts';
import { mayCommand, reachesTeam } from '@chirality/domain';
import type { Request } from 'express';
import { problems } from '../core/problem/problems';
import { requireCommand, type Principal } from './principal';

/** One of `anyOf` is needed. All `commandsOf` a body are needed, at least one; null where no token may send it. */
type TokenRule =
  | { command: Command }
  | { anyOf: readonly Command[] }
  | { commandsOf: (body: unknown) => Command[] | null }
  | { isOwnToken: true }
  | { isMinting: true };

/** Commands whose answer is not about single projects. */
const OF_WHOLE_TEAM: readonly Command[] = ['usage:read'];

const READS: TokenRule = { command: 'events:read' };
const SENDS: TokenRule = { command: 'turn:send' };
const CREATES: TokenRule = { command: 'session:create' };
/** What its tools and resources are for; each asks for its own. */
const MCP_COMMANDS = COMMANDS.filter((command) => command !== 'custom' && command !== 'usage:read');

/**
 * What tokens may ask for: everything else is refused to them, whatever their person may do. A token that may send
 * turns may also change files in the session, which its turns can; what goes out of the installation, widens rights,
 * or shows what is kept unmasked is for signed-in people.
 */
export const TOKEN_ROUTES: Readonly<Record<string, TokenRule>> = {
  'get /v1/me': READS,
  'get /v1/harnesses': READS,
  'get /v1/models': READS,
  'get /v1/slash-commands': READS,
  'get /v1/projects': READS,
  'get /v1/projects/:projectId': READS,
  'get /v1/projects/:projectId/files': READS,
  'get /v1/projects/:projectId/files/content': READS,
  'get /v1/projects/:projectId/personas': READS,
  'get /v1/projects/:projectId/personas/:key': READS,
  'get /v1/search': READS,
  'get /v1/sessions': READS,
  'post /v1/sessions': CREATES,
  'get /v1/sessions/:sessionId': READS,
  'patch /v1/sessions/:sessionId': { commandsOf: commandsOfSessionChange },
  'delete /v1/sessions/:sessionId': { command: 'session:end' },
  'post /v1/sessions/:sessionId/boot': SENDS,
  'get /v1/sessions/:sessionId/options': READS,
  'get /v1/sessions/:sessionId/events': READS,
  'post /v1/sessions/:sessionId/events': { command: 'custom' },
  'get /v1/sessions/:sessionId/transcript': READS,
  'get /v1/sessions/:sessionId/export': READS,
  'get /v1/sessions/:sessionId/turns': READS,
  'post /v1/sessions/:sessionId/turns': SENDS,
  'get /v1/sessions/:sessionId/queue': READS,
  'patch /v1/sessions/:sessionId/queue': SENDS,
  'delete /v1/sessions/:sessionId/queue': SENDS,
  'patch /v1/sessions/:sessionId/queue/:itemId': SENDS,
  'delete /v1/sessions/:sessionId/queue/:itemId': SENDS,
  'post /v1/sessions/:sessionId/queue/:itemId/send': { command: 'turn:interrupt' },
  'get /v1/sessions/:sessionId/turns/:turnId': READS,
  'get /v1/sessions/:sessionId/turns/:turnId/tools/:toolUseId/result': READS,
  'post /v1/sessions/:sessionId/compact': SENDS,
  'post /v1/sessions/:sessionId/interrupt': { command: 'turn:interrupt' },
  'get /v1/sessions/:sessionId/permissions': READS,
  'post /v1/sessions/:sessionId/permissions/:permissionId': { command: 'permission:answer' },
  'post /v1/sessions/:sessionId/attachments': SENDS,
  'get /v1/sessions/:sessionId/attachments/:attachmentId': READS,
  'delete /v1/sessions/:sessionId/attachments/:attachmentId': SENDS,
  'get /v1/sessions/:sessionId/files': READS,
  'get /v1/sessions/:sessionId/files/content': READS,
  'put /v1/sessions/:sessionId/files/content': SENDS,
  'get /v1/sessions/:sessionId/files/download': READS,
  'get /v1/sessions/:sessionId/diff': READS,
  'get /v1/sessions/:sessionId/diff/file': READS,
  'get /v1/sessions/:sessionId/commits': READS,
  'post /v1/sessions/:sessionId/commit': SENDS,
  'get /v1/sessions/:sessionId/comments': READS,
  'get /v1/sessions/:sessionId/pull-request': READS,
  'post /api/harness/session/create': CREATES,
  'get /api/harness/session/list': READS,
  'post /api/harness/session/boot': SENDS,
  'get /api/harness/session/:sessionId': READS,
  'delete /api/harness/session/:sessionId': { command: 'session:end' },
  'post /api/harness/turn': SENDS,
  'post /api/harness/interrupt': { command: 'turn:interrupt' },
  'post /mcp': { anyOf: MCP_COMMANDS },
  'get /mcp': READS,
  'delete /mcp': { anyOf: MCP_COMMANDS },
  'get /v1/usage': { command: 'usage:read' },
  'get /v1/usage/series': { command: 'usage:read' },
  'post /v1/tokens': { isMinting: true },
  'delete /v1/tokens/:tokenId': { isOwnToken: true },
};

/** Throws TOKEN_SCOPE where the token does not cover the request. */
export function requireTokenScope(who: Principal, request: Request): void {
  if (who.token === undefined) return;
  const path = (request.route as { path?: string } | undefined)?.path ?? '';
  const rule = TOKEN_ROUTES[`${request.method.toLowerCase()} ${path}`];
  if (!rule) throw problems.tokenScope('Tokens may not do this. Sign in to the dashboard instead.');
  if ('isMinting' in rule) {
    if (!who.token.mayMint) throw problems.tokenScope('This token may not create tokens. Create one that may.');
  } else if ('isOwnToken' in rule) {
    if (request.params['tokenId'] !== who.token.id)
      throw problems.tokenScope('A token may end only itself. Sign in to revoke others.');
  } else if ('anyOf' in rule) {
    const { claims } = who.token;
    if (!rule.anyOf.some((command) => mayCommand(claims, command)))
      throw problems.tokenScope('This token covers nothing that is done here. Create one whose commands do.');
  } else if ('commandsOf' in rule) {
    const commands = rule.commandsOf(request.body);
    if (commands === null || commands.length === 0)
      throw problems.tokenScope('Tokens change only model and plan mode of a session. Sign in for other settings.');
    for (const command of commands) requireCommand(who, command);
  } else {
    requireCommandScope(who, rule.command);
  }
}

/**
 * Throws TOKEN_SCOPE where the token does not cover the command. The same for a route and for a command without one.
 */
export function requireCommandScope(who: Principal, command: Command): void {
  if (who.token === undefined) return;
  // An agent is refused for what it is, by the service, which also shows that it tried.
  if (command !== 'permission:answer' || who.identityClass === 'human') requireCommand(who, command);
  if (OF_WHOLE_TEAM.includes(command) && !reachesTeam(who.token.claims))
    throw problems.tokenScope('This is about the whole team, and the token is for some projects or sessions only.');
}

/** Model and plan mode, and nothing else: other options, who sees it and the persona are a person's to change. */
function commandsOfSessionChange(body: unknown): Command[] | null {
  const { options, ...others } = (body ?? {}) as { options?: unknown };
  if (Object.keys(others).length > 0 || typeof options !== 'object' || options === null) return null;
  const commands = Object.entries(options).map(([option, value]) => {
    if (option === 'model') return 'session:set_model';
    if (option !== 'permissionMode') return null;
    return value === 'plan' ? 'plan:enter' : value === 'default' ? 'plan:exit' : null;
  });
  return commands.every((command) => command !== null) ? commands : null;
}
