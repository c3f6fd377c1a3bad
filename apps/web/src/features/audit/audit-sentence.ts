import { AUDIT_ACTIONS, LIMITED_OPTIONS, type AuditAction, type AuditEntry } from '@chirality/contracts';
import { limitText } from '@chirality/domain';
import { revealInProse } from '../../lib/text/reveal';

type Detail = AuditEntry['detail'];
type Sentence = (detail: Detail) => string;

const EFFECTS: Record<string, string> = { allow: 'allows', ask: 'asks before', deny: 'denies' };
const METHODS: Record<string, string> = {
  invitation: ' by accepting an invitation',
  password_change: ' again with a new password',
};

const text = (detail: Detail, key: string): string =>
  typeof detail[key] === 'string' || typeof detail[key] === 'number' ? String(detail[key]) : '';
const quoted = (detail: Detail, key: string): string => (text(detail, key) === '' ? '' : `“${text(detail, key)}”`);
const on = (detail: Detail): boolean => detail['on'] === true;
const rule = (detail: Detail): string =>
  `that ${EFFECTS[text(detail, 'effect')] ?? 'covers'} ${text(detail, 'rule')}`.trim();
const whose = (detail: Detail): string =>
  text(detail, 'scope') === 'team'
    ? 'the team’s API key'
    : text(detail, 'serviceAccount') === ''
      ? 'their own API key'
      : 'the API key of a service account';
const names = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : '');

/** From where a sign-in or an attempt came, in brackets; nothing where it is not known. */
function place(detail: Detail): string {
  const address = text(detail, 'address');
  return address === '' ? '' : ` from ${address}`;
}

function hosts(detail: Detail): string {
  const added = names(detail['added']);
  const removed = names(detail['removed']);
  const parts = [added === '' ? '' : `allowed ${added}`, removed === '' ? '' : `removed ${removed}`].filter(
    (part) => part !== '',
  );
  return parts.length === 0 ? 'changed the network access' : `${parts.join(' and ')} in the network access`;
}

/** The limits of a project or a team after a change. */
function limits(whose: string): Sentence {
  return ({ to }) => {
    const now = (to ?? {}) as Record<string, unknown>;
    const parts = LIMITED_OPTIONS.flatMap((option) =>
      typeof now[option] === 'number' ? [limitText(option, now[option])] : [],
    );
    return parts.length === 0
      ? `removed the limits of the ${whose}`
      : `limited turns of the ${whose} to ${parts.join(' and ')}`;
  };
}

/** What a person decided, and on what: a question is answered and a plan approved, everything else is allowed. */
function answered(detail: Detail): string {
  const tool = text(detail, 'tool') || 'a tool';
  const isDenied = text(detail, 'decision') === 'deny';
  if (tool === 'AskUserQuestion') return isDenied ? 'skipped a question of Claude' : 'answered a question of Claude';
  if (tool === 'ExitPlanMode') return isDenied ? 'denied a plan' : 'approved a plan';
  switch (text(detail, 'decision')) {
    case 'deny':
      return `denied ${tool}`;
    case 'allow_once':
      return `allowed ${tool} once`;
    case 'allow_pattern':
      return `allowed a pattern of ${tool} for the session`;
    case 'allow_tool':
      return `allowed every use of ${tool} for the session`;
    default:
      return 'answered a permission request';
  }
}

const GIT_ACTS: Record<string, string> = {
  fetch: 'to fetch a project’s files',
  refresh: 'to refresh a project',
  push: 'to push a branch',
  branches: 'to list branches',
  test: 'to test it',
  'pull-request': 'for a pull request',
};

function gitAccount(detail: Detail): string {
  const owner = detail['scope'] === 'team' ? 'the team’s' : 'their own';
  return `${owner} ${detail['kind'] === 'ssh' ? 'SSH key' : 'token'} for ${text(detail, 'host') || 'a git host'}`;
}

/** What a user did, after their name. Every act has a sentence: the type asks for it, and so does a test. */
const SENTENCES: Record<AuditAction, Sentence> = {
  'act:deny': (detail) => `was denied ${text(detail, 'method')} ${text(detail, 'route')}`,
  'budget:create': (detail) => `created a budget of $${text(detail, 'limitUsd')}`,
  'budget:limit': (detail) => `changed a budget from $${text(detail, 'from')} to $${text(detail, 'to')}`,
  'budget:remove': (detail) => `deleted a budget of $${text(detail, 'limitUsd')}`,
  'git-account:create': (detail) => `added ${gitAccount(detail)}`,
  'git-account:remove': (detail) => `removed ${gitAccount(detail)}`,
  'git-account:use': (detail) => `used ${gitAccount(detail)} ${GIT_ACTS[text(detail, 'what')] ?? 'at its host'}`,
  'git-host-key:pin': (detail) => `first connected to ${text(detail, 'host')} over SSH; its key is kept`,
  'git-host-key:remove': (detail) => `removed the kept SSH key of ${text(detail, 'host')}`,
  'invitation:accept': (detail) => `joined the team as ${text(detail, 'role')}`,
  'invitation:create': (detail) => `invited ${text(detail, 'email')} as ${text(detail, 'role')}`,
  'invitation:link': (detail) => `made a new invitation link for ${text(detail, 'email')}`,
  'invitation:revoke': () => 'withdrew an invitation',
  'key:remove': (detail) => `removed ${whose(detail)}`,
  'key:set': (detail) => `set ${whose(detail)}`,
  'member:leave': () => 'left the team',
  'member:password-reset': (detail) => `made a password reset link for ${text(detail, 'email')}`,
  'member:remove': (detail) => `removed ${text(detail, 'name') || 'a member'} from the team`,
  'member:role': (detail) =>
    `changed the role of ${text(detail, 'name') || 'a member'} from ${text(detail, 'from')} to ${text(detail, 'to')}`,
  'permission:answer': answered,
  'permission:agent-denied': (detail) =>
    `had an agent that tried to answer a request for ${text(detail, 'tool') || 'a tool'}; it was denied`,
  'permission:answer-late': (detail) => `${answered(detail)}, but the request was already settled`,
  'persona:approve': (detail) => `approved the persona ${quoted(detail, 'key')}`,
  'persona:create': (detail) => `created the persona ${quoted(detail, 'key')}`,
  'persona:delete': (detail) => `deleted the persona ${quoted(detail, 'key')}`,
  'persona:revoke': (detail) => `revoked the approval of the persona ${quoted(detail, 'key')}`,
  'persona:update': (detail) => `saved version ${text(detail, 'version')} of the persona ${quoted(detail, 'key')}`,
  'policy:bypass': (detail) => `had a turn ended: ${text(detail, 'tool') || 'a tool'} ran although it was not allowed`,
  'price:set': (detail) => `set prices for ${names(detail['models']) || 'models'}`,
  'project-rule:add': (detail) => `added the rule ${rule(detail)}`,
  'project-rule:remove': (detail) => `removed the rule ${rule(detail)}`,
  'project:archive': () => 'archived the project',
  'project:delete': (detail) => `deleted the project ${quoted(detail, 'name')}`,
  'project:purge': (detail) => `deleted the project ${quoted(detail, 'name')} for good`,
  'project:auto-approve': (detail) => `turned auto-approve ${on(detail) ? 'on' : 'off'}`,
  'project:create': (detail) => `created the project ${quoted(detail, 'name')}`,
  'project:egress': hosts,
  'project:fetch-stop': () => 'stopped fetching the project’s files',
  'project:git-webhook': (detail) =>
    detail['rotated'] === true ? 'gave the project’s webhook another secret' : 'set up the project’s webhook',
  'project:git-webhook-remove': () => 'removed the project’s webhook',
  'project:fetch': () => 'fetched the project’s files again',
  'project:limits': limits('project'),
  'project:member': (detail) => `made ${text(detail, 'name')} a member of the project who can ${text(detail, 'role')}`,
  'project:member-remove': (detail) => `removed ${text(detail, 'name')} from the project`,
  'project:options': () => 'changed the project’s defaults',
  'project:push-settings': () => 'changed how the project is refreshed and pushed',
  'project:refresh-stop': () => 'stopped a refresh of the project',
  'project:refresh': () => 'refreshed the project',
  'project:rename': (detail) => `renamed the project from ${quoted(detail, 'from')} to ${quoted(detail, 'to')}`,
  'project:setup-script': () => 'changed the set-up script',
  'project:strict': (detail) => `turned strict mode ${on(detail) ? 'on' : 'off'}`,
  'project:upload': () => 'uploaded an archive',
  'project:variable': (detail) =>
    `${detail['valueChanged'] === false ? 'changed who can use' : 'set'} the variable ${text(detail, 'name')}`,
  'project:variable-remove': (detail) => `deleted the variable ${text(detail, 'name')}`,
  'project:visibility': (detail) =>
    text(detail, 'to') === 'members'
      ? 'made the project visible to its members only'
      : 'made the project visible to the team',
  'project:restore': () => 'restored the project',
  'rule:promote': (detail) => `allowed ${text(detail, 'rule')} in every session of the project`,
  'rule:remove': () => 'revoked a rule of a session',
  'schedule:create': (detail) => `created the schedule ${quoted(detail, 'name')}`,
  'schedule:pause': (detail) =>
    text(detail, 'failures') === ''
      ? `paused the schedule ${quoted(detail, 'name')}`
      : `had the schedule ${quoted(detail, 'name')} paused after ${text(detail, 'failures')} failures`,
  'schedule:remove': (detail) => `deleted the schedule ${quoted(detail, 'name')}`,
  'schedule:run': (detail) => `ran the schedule ${quoted(detail, 'name')} by hand`,
  'schedule:trigger': (detail) =>
    detail['rotated'] === true
      ? `gave the trigger of ${quoted(detail, 'name')} another secret`
      : `set up a trigger for the schedule ${quoted(detail, 'name')}`,
  'schedule:update': (detail) =>
    `changed ${names(detail['changed']) || 'settings'} of the schedule ${quoted(detail, 'name')}`,
  'service-account:create': (detail) => `created the service account ${quoted(detail, 'name')}`,
  'service-account:remove': (detail) => `deleted the service account ${quoted(detail, 'name')}`,
  'service-account:update': (detail) =>
    `changed ${names(detail['changed']) || 'settings'} of the service account ${quoted(detail, 'name')}`,
  'session:archive': () => 'archived a session',
  'session:delete': () => 'deleted a session',
  'session:purge': () => 'deleted a session for good',
  'session:upload': (detail) => `uploaded ${text(detail, 'path')}`,
  'session:base': (detail) =>
    text(detail, 'outcome') === 'undone'
      ? 'undid a merge of the project’s base'
      : `brought the project’s base ${text(detail, 'commit').slice(0, 8)} into a session`,
  'session:pull-request': (detail) => `opened pull request #${text(detail, 'number')} (${text(detail, 'url')})`,
  'session:commit': (detail) => `committed ${text(detail, 'commit').slice(0, 8)}`,
  'session:create': () => 'started a session',
  'session:push': (detail) => `pushed ${text(detail, 'commit').slice(0, 8)} to ${text(detail, 'branch')}`,
  'session:restore': () => 'restored a session',
  'session:update': (detail) => `changed ${names(detail['changed']) || 'settings'} of a session`,
  'start:refused': (detail) =>
    `had a turn ended: the Agent SDK would have started Claude Code in another way (${names(detail['differences'])})`,
  'team:aliases': () => 'changed the team’s command aliases',
  'team:create': (detail) => `created the team ${quoted(detail, 'name')}`,
  'team:limits': limits('team'),
  'team:update': (detail) => `changed ${Object.keys(detail).join(', ') || 'the settings'} of the team`,
  'token:create': (detail) => `created the token ${quoted(detail, 'name')}`,
  'token:device-allow': (detail) => `allowed ${quoted(detail, 'client') || 'a program'} to sign in${place(detail)}`,
  'token:device-deny': (detail) => `denied ${quoted(detail, 'client') || 'a program'} to sign in${place(detail)}`,
  'token:revoke': (detail) => `revoked the token ${quoted(detail, 'name')}`,
  'tool:outcome': (detail) => `marked an interrupted command as ${text(detail, 'outcome')}`,
  'turn:boot': () => 'started Claude for a session',
  'turn:compact': () => 'compacted a conversation',
  'turn:interrupt': () => 'stopped a turn',
  'turn:message': () => 'sent a message',
  'turn:read-prompt': () => 'opened the prompt of a turn',
  'turn:read-raw': () => 'downloaded the raw log of a turn',
  'turn:read-stderr': () => 'downloaded the error output of a turn',
  'user:change-password': () => 'changed their password',
  'user:reset-password': () => 'set a new password with a reset link',
  'user:sign-in': (detail) => `signed in${METHODS[text(detail, 'method')] ?? ''}${place(detail)}`,
  'user:sign-in-block': (detail) => `was locked out for a while after too many wrong passwords${place(detail)}`,
  'user:sign-in-fail': (detail) => `failed to sign in: wrong password${place(detail)}`,
  'user:sign-out': (detail) => `signed out${place(detail)}`,
  'user:token-replay': (detail) => `was signed out because an old sign-in token was used again${place(detail)}`,
  'user:update': (detail) => `changed their ${names(detail['changed']) || 'profile'}`,
};

function isAuditAction(action: string): action is AuditAction {
  return (AUDIT_ACTIONS as readonly string[]).includes(action);
}

/** What a user did, after their name. An act of a newer server is shown as words, not as a code. */
export function auditSentence({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): string {
  // Names and rules in it are as people gave them: nothing of them may hide or turn what the log says.
  return revealInProse(
    (isAuditAction(action) ? SENTENCES[action](detail) : action.replace(/[:-]/g, ' ')).replace(/\s+/g, ' ').trim(),
  );
}
