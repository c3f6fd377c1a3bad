import { readChoice, readNumber, readText, readTextOrNull } from './read-payload';
import { itemBase, type TranscriptDraft, type WireEnvelope } from './transcript-draft';
import type { HookView } from './transcript-state';

/** How many of a run of hooks are kept: the first ones, so that what is kept of a long run is copied rarely. */
const MAX_HOOKS_KEPT = 50;

const DECISIONS = ['allow', 'ask', 'deny', 'block'] as const;

/** Hooks that follow each other, with nothing between them that a person reads, are one item. */
export function foldHook(draft: TranscriptDraft, event: WireEnvelope): void {
  const { payload } = event;
  const turn = draft.turnOf(event);
  const hook: HookView = {
    name: readText(payload.name),
    toolUseId: readTextOrNull(payload.toolUseId),
    decision: DECISIONS.some((one) => one === payload.decision) ? readChoice(payload.decision, DECISIONS) : null,
    agent: readTextOrNull(payload.agent),
    elapsedMs: readNumber(payload.elapsedMs),
  };
  const last = turn.items.at(-1);
  if (last?.type !== 'hooks')
    return draft.append(turn, null, { ...itemBase(event), type: 'hooks', hooks: [hook], count: 1 });
  const hooks = last.hooks.length < MAX_HOOKS_KEPT ? [...last.hooks, hook] : last.hooks;
  turn.items[turn.items.length - 1] = { ...last, hooks, count: last.count + 1 };
}
