import type { PermissionItem } from '@chirality/domain';
import { ListChecks } from 'lucide-react';
import { Button } from '../../../components/ui/button';
import { MarkdownView } from '../../markdown/components/markdown-view';
import type { Answering } from '../hooks/use-answer';
import { AnswerRow, CardFailure, CardTitle } from './card-parts';

type Props = { item: PermissionItem; answer: Answering; mayAnswer: boolean };

export function PlanCard({ item, answer, mayAnswer }: Props) {
  const { give, isGiving, failure } = answer;
  const plan = (item.input as { plan?: unknown } | null)?.plan;
  return (
    <>
      <CardTitle icon={<ListChecks size={16} />} expiresAt={item.expiresAt}>
        Carry out this plan?
      </CardTitle>
      <div tabIndex={0} role="region" aria-label="Plan" className="max-h-[min(28rem,46dvh)] overflow-auto border-y border-line px-4 py-3 focus-visible:-outline-offset-2">
        {typeof plan === 'string' && plan !== '' ? <MarkdownView text={plan} isGrowing={false} /> : <p className="text-muted">{item.reason === '' ? 'The plan is in the conversation above.' : item.reason}</p>}
      </div>
      <div className="pt-2">
        <CardFailure failure={failure} />
        {mayAnswer && (
          <AnswerRow label="Keep planning…" placeholder="What should change?" submitLabel="Keep planning" isBusy={isGiving} onDeny={(reason) => give({ decision: 'deny', ...(reason !== undefined && { reason }) })}>
            <Button variant="primary" busy={isGiving} onClick={() => give({ decision: 'allow_once' })}>
              Approve the plan
            </Button>
          </AnswerRow>
        )}
      </div>
    </>
  );
}
