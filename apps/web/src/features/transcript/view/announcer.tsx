import { activeTurnOf, hasEnded, type TranscriptState } from '@chirality/domain';
import { plainText } from '../../../lib/text/plain-text';
import { errorTitle } from '../error-titles';

const SPOKEN_CHARACTERS = 400;

/** What a screen reader announces: each piece once it is whole, never token by token. */
function announcement(state: TranscriptState): string {
  const turn = activeTurnOf(state) ?? state.turns.at(-1);
  if (turn === undefined || turn.kind === 'system') return '';
  if (turn.openPermissions.length > 0) return 'Claude waits for an answer above the message field.';
  if (turn.status === 'failed' || turn.status === 'timed_out' || turn.status === 'lost')
    return `The turn failed. ${turn.error === null ? '' : errorTitle(turn.error.code)}`;
  if (turn.status === 'interrupted') return 'The turn was stopped.';
  const said = turn.items.findLast((item) => item.type === 'text' && item.done && item.parent === null);
  if (said?.type === 'text') return plainText(said.text).slice(0, SPOKEN_CHARACTERS);
  if (hasEnded(turn)) return turn.kind === 'compact' ? 'The conversation is compacted.' : 'Claude has finished.';
  return turn.status === 'queued' ? 'Message queued.' : 'Claude is working.';
}

export function Announcer({ state }: { state: TranscriptState }) {
  return (
    <div role="log" aria-live="polite" aria-label="Progress" className="sr-only">
      {announcement(state)}
    </div>
  );
}
