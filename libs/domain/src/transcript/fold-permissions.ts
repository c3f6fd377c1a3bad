import { readChoice, readFields, readText, readTextOrNull } from './read-payload';
import { itemBase, type TranscriptDraft, type WireEnvelope } from './transcript-draft';

export function foldPermissionRequest(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turn = draft.turnOf(event);
  const permissionId = readText(payload.permissionId);
  const toolUseId = readText(payload.toolUseId);
  const tool = draft.find(turn, `tool:${toolUseId}`, 'tool');
  const base = itemBase(event, payload.parentToolUseId ?? tool?.item.parent);
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
    expiresAt: readTextOrNull(payload.expiresAt),
    answer: null,
  });
  if (tool !== null) turn.items[tool.at] = { ...tool.item, permissionKey: base.key };
  turn.openPermissions = [...turn.openPermissions, permissionId];
  turn.status = 'awaiting_permission';
}

/** The first answer stands; a second one for the same request changes nothing. */
export function foldPermissionResolve(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turn = draft.turnOf(event);
  const permissionId = readText(payload.permissionId);
  const found = draft.find(turn, `permission:${permissionId}`, 'permission');
  if (found === null || found.item.answer !== null) return;
  const by = readFields(payload.by);
  turn.items[found.at] = {
    ...found.item,
    answer: {
      outcome: readChoice(payload.outcome, ['run_ended', 'allowed', 'denied', 'expired']),
      scope: payload.scope === undefined ? null : readChoice(payload.scope, ['once', 'pattern', 'tool']),
      by: typeof by.userId === 'string' ? { userId: by.userId, name: readText(by.name) } : null,
      reason: readTextOrNull(payload.reason),
      at: event.ts,
    },
  };
  turn.openPermissions = turn.openPermissions.filter((id) => id !== permissionId);
  if (turn.openPermissions.length === 0 && turn.status === 'awaiting_permission') turn.status = 'running';
}
