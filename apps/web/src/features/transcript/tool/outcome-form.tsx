import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { FailureText } from '../../../components/text/failure-text';
import { ApiError } from '../../../lib/http/api-error';
import { useSettleTool } from '../transcript.api';
import { useReading } from '../reading-context';

const SAID = {
  failed: 'You said that it failed.',
  succeeded: 'You said that it succeeded.',
  abort: 'You said that it is not to be repeated.',
} as const;

/** Asks how a tool ended that may have changed something when its worker died. It is never run again automatically. */
export function OutcomeForm({ turnId, toolUseId }: { turnId: string; toolUseId: string }) {
  const { sessionId, writeAgain } = useReading();
  const [note, setNote] = useState('');
  const settle = useSettleTool({ sessionId, turnId, toolUseId });
  if (writeAgain === null) return null;
  if (settle.isSuccess)
    return (
      <p className="border-t border-line px-3 py-2 text-sm text-muted">
        {SAID[settle.variables.outcome]} Claude sees it with your next message.
      </p>
    );
  if (settle.error instanceof ApiError && settle.error.code === 'CONFLICT')
    return <p className="border-t border-line px-3 py-2 text-sm text-muted">This was answered already.</p>;
  const say = (outcome: keyof typeof SAID) =>
    settle.mutate({ outcome, ...(note.trim() !== '' && { note: note.trim() }) });
  return (
    <div className="stack gap-2 border-t border-line px-3 py-2.5">
      <p className="text-sm font-medium">
        How did it end? The worker died before it could tell. Check, then choose; it is not run again automatically.
      </p>
      <input
        value={note}
        onChange={(event) => setNote(event.target.value)}
        aria-label="A note for Claude"
        placeholder="A note for Claude, if you like"
        maxLength={4000}
        className="h-9 rounded-md border border-line-strong bg-surface px-3 focus-visible:border-accent focus-visible:outline-offset-0 pointer-coarse:h-11"
      />
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={settle.isPending} onClick={() => say('succeeded')}>
          It succeeded
        </Button>
        <Button size="small" disabled={settle.isPending} onClick={() => say('failed')}>
          It failed
        </Button>
        <Button size="small" variant="quiet" disabled={settle.isPending} onClick={() => say('abort')}>
          Abort: do not repeat it
        </Button>
      </div>
      {settle.isError && (
        <p role="alert" className="text-sm text-bad">
          <FailureText error={settle.error} />
        </p>
      )}
    </div>
  );
}
