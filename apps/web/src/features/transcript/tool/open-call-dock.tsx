import { hasEnded, type TranscriptState } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { ShieldQuestion } from 'lucide-react';
import { plural } from '../../../lib/format/count';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { openCallsQuery } from '../transcript.api';
import { summariseTool } from '../../../lib/tool/tool-summary';
import { OutcomeForm } from './outcome-form';

/** The last turn that has ended, and the last time that a person said how a tool ended. */
function seenOf(state: TranscriptState): string {
  return `${state.turns.findLast((turn) => turn.kind !== 'system' && hasEnded(turn))?.id ?? ''}/${state.lastOutcomeEventId}`;
}

/**
 * The oldest tool call that a crash left open, above the composer: nothing waits for the answer, so both can be used.
 */
export function OpenCallDock({
  sessionId,
  state,
  isShown,
}: {
  sessionId: string;
  state: TranscriptState;
  isShown: boolean;
}) {
  const calls = useQuery({ ...openCallsQuery(sessionId, seenOf(state)), enabled: isShown }).data ?? [];
  const [call, ...others] = calls;
  if (call === undefined || !isShown) return null;
  const { subject, verb, isCommand } = summariseTool(call, state.init?.cwd ?? null);
  return (
    <section aria-label="A tool with an unknown outcome" className="column animate-appear pb-2">
      <div className="overflow-hidden rounded-lg border border-warn/50 bg-surface shadow-card">
        <header className="flex items-start gap-2.5 px-3 pt-2.5 pb-2">
          <ShieldQuestion size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
          <h2 className="min-w-0 flex-1 truncate font-semibold">
            {isCommand ? (
              <code className="font-mono text-sm font-medium">
                $ <UntrustedText text={subject} />
              </code>
            ) : (
              <>
                {verb} <UntrustedText text={subject} />
              </>
            )}
          </h2>
        </header>
        <OutcomeForm key={call.toolUseId} turnId={call.turnId} toolUseId={call.toolUseId} />
        {others.length > 0 && (
          <p className="border-t border-line px-3 py-1.5 text-xs text-faint">
            {plural(others.length, 'more tool')} after this one
          </p>
        )}
      </div>
    </section>
  );
}
