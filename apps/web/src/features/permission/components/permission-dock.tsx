import type { PermissionItem } from '@chirality/domain';
import { PlanCard } from './plan-card';
import { QuestionCard } from './question-card';
import { ToolCard } from './tool-card';
import { useAnswer } from '../hooks/use-answer';

type Props = { sessionId: string; open: PermissionItem[]; isLive: boolean; mayAnswer: boolean };

/** The oldest open request, between the conversation and the composer; it never takes the keyboard away from who types. */
export function PermissionDock({ sessionId, open, isLive, mayAnswer }: Props) {
  const item = open[0];
  if (item === undefined) return null;
  return <DockedCard key={item.permissionId} sessionId={sessionId} item={item} count={open.length} isLive={isLive} mayAnswer={mayAnswer} />;
}

function DockedCard({ sessionId, item, count, isLive, mayAnswer }: { sessionId: string; item: PermissionItem; count: number; isLive: boolean; mayAnswer: boolean }) {
  const answer = useAnswer(sessionId, item.permissionId);
  const card = { item, answer, mayAnswer };
  return (
    <section aria-label="Claude waits for an answer" className="column animate-appear pb-2">
      <div className="overflow-hidden rounded-lg border border-warn/50 bg-surface shadow-card">
        {item.kind === 'question' ? <QuestionCard {...card} /> : item.kind === 'plan' ? <PlanCard {...card} /> : <ToolCard {...card} />}
        {answer.settled !== null ? (
          <p role="status" className="border-t border-line px-4 py-1.5 text-sm text-muted">
            {answer.settled}
          </p>
        ) : (
          !isLive && <p className="border-t border-line px-4 py-1.5 text-sm text-muted">The live connection is being made anew. Your answer counts all the same, unless somebody was faster.</p>
        )}
        {count > 1 && <p className="border-t border-line px-4 py-1.5 text-xs text-faint">{count - 1} more after this one</p>}
      </div>
    </section>
  );
}
