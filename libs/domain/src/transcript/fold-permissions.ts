import { readChoice, readFields, readList, readPerson, readText, readTextOrNull, type Fields } from './read-payload';
import { readProposal } from './read-proposal';
import { itemBase, type TranscriptDraft, type WireEnvelope } from './transcript-draft';
import type { PermissionAnswer, ToolItem } from './transcript-state';

export function foldPermissionRequest(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turn = draft.turnOf(event);
  const permissionId = readText(payload.permissionId);
  const toolUseId = readText(payload.toolUseId);
  const tool = draft.find(turn, `tool:${toolUseId}`, 'tool');
  const base = itemBase(event, payload.parentToolUseId ?? tool?.item.parent);
  const starter = base.parent === null ? null : draft.find(turn, `tool:${base.parent}`, 'tool');
  draft.append(turn, `permission:${permissionId}`, {
    ...base,
    type: 'permission',
    permissionId,
    kind: readChoice(payload.kind, ['tool', 'question', 'plan']),
    toolUseId,
    tool: readText(payload.tool),
    input: payload.input ?? null,
    reason: readText(payload.reason),
    pattern: readTextOrNull(payload.pattern),
    patterns: readPatterns(payload),
    agent: agentOf(payload, starter?.item ?? null),
    proposal: readProposal(payload.proposal),
    expiresAt: readTextOrNull(payload.expiresAt),
    answer: null,
  });
  if (tool !== null) turn.items[tool.at] = { ...tool.item, permissionKey: base.key };
  turn.openPermissions = [...turn.openPermissions, permissionId];
  turn.status = 'awaiting_permission';
}

/** A deadline may move until the answer. */
export function foldPermissionUpdate(draft: TranscriptDraft, event: WireEnvelope): void {
  const turn = draft.turnOf(event);
  const found = draft.find(turn, `permission:${readText(event.payload.permissionId)}`, 'permission');
  if (found === null || found.item.answer !== null) return;
  turn.items[found.at] = { ...found.item, expiresAt: readTextOrNull(event.payload.expiresAt) };
}

/** What the request says of the sub-agent that asks, else what the tool says that started it. */
function agentOf(payload: Fields, starter: ToolItem | null): { type: string; task: string } | null {
  const said = readFields(payload.agent);
  const input = readFields(starter?.input);
  const type = readText(said.type) || readText(input.subagent_type);
  const task = readText(said.task) || readText(input.description);
  return type === '' && task === '' && starter === null ? null : { type, task };
}

/** The first answer stands; a second one for the same request changes nothing. */
export function foldPermissionResolve(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turn = draft.turnOf(event);
  const permissionId = readText(payload.permissionId);
  const found = draft.find(turn, `permission:${permissionId}`, 'permission');
  if (found === null || found.item.answer !== null) return;
  turn.items[found.at] = {
    ...found.item,
    answer: {
      outcome: readChoice(payload.outcome, ['run_ended', 'allowed', 'denied', 'expired']),
      scope: payload.scope === undefined ? null : readChoice(payload.scope, ['once', 'pattern', 'tool']),
      by: readPerson(payload.by),
      reason: readTextOrNull(payload.reason),
      answers: readAnswers(payload.answers),
      policy: readPolicy(payload.policy),
      at: event.ts,
    },
  };
  turn.openPermissions = turn.openPermissions.filter((id) => id !== permissionId);
  if (turn.openPermissions.length === 0 && turn.status === 'awaiting_permission') turn.status = 'running';
}

/** Of an older server, the one text is the one rule. */
function readPatterns({ patterns, pattern }: Record<string, unknown>): string[] {
  const list = Array.isArray(patterns) ? readList(patterns) : [pattern];
  return list.filter((one) => typeof one === 'string');
}

function readPolicy(value: unknown): PermissionAnswer['policy'] {
  if (value === undefined || value === null) return null;
  const { rule, autoApprove, by } = readFields(value);
  return { rule: readTextOrNull(rule), autoApprove: autoApprove === true, by: readPerson(by) };
}

/** A plain text is what an older page sent: choices and own words in one. */
function readAnswers(value: unknown): PermissionAnswer['answers'] {
  if (value === undefined || value === null) return null;
  const entries = Object.entries(readFields(value)).map(
    ([question, answer]): [string, { chosen: string[]; own: string }] => {
      if (typeof answer === 'string') return [question, { chosen: [], own: answer }];
      const { chosen, own } = readFields(answer);
      return [question, { chosen: readList(chosen).map(readText), own: readText(own) }];
    },
  );
  return Object.fromEntries(entries);
}
