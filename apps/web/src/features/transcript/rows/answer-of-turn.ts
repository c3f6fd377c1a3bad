import type { TurnView } from '@chirality/domain';

/** Everything that was said in a turn, as markdown, without sub-agents. */
export function answerOfTurn(turn: TurnView): string {
  // The tree of it has its own way to copy it.
  if (turn.structured !== null) return JSON.stringify(turn.structured, null, 2);
  const said = turn.items
    .flatMap((item) => (item.type === 'text' && item.parent === null ? [item.text.trim()] : []))
    .filter((text) => text !== '');
  return said.length > 0 ? said.join('\n\n') : (turn.resultText ?? '').trim();
}
