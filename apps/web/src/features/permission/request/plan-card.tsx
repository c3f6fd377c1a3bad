import type { PermissionItem } from '@chirality/domain';
import { ListChecks } from 'lucide-react';
import { useRef } from 'react';
import { MarkdownView } from '../../../components/markdown/markdown-view';
import type { Answering } from './use-answer';
import { useSeenEnd } from './use-seen-end';
import { planOf } from '../../../lib/permission/plan-text';
import {
  AnswerButton,
  AnswerRow,
  CardBlock,
  CardBody,
  CardEnd,
  CardFailure,
  CardTitle,
  useWriting,
} from './card-parts';
import { SubAgentLine } from './sub-agent-line';

type Props = { item: PermissionItem; answer: Answering; mayAnswer: boolean };

export function PlanCard({ item, answer, mayAnswer }: Props) {
  const { give, isGiving, failure } = answer;
  const plan = planOf(item.input);
  const end = useRef<HTMLDivElement>(null);
  const isSeen = useSeenEnd(end, true);
  const [isWriting, setWriting] = useWriting(answer);
  return (
    <>
      <CardBody>
        <CardTitle icon={<ListChecks size={16} />} expiresAt={item.expiresAt}>
          {plan === null ? 'Claude wants to leave plan mode' : 'Carry out this plan?'}
        </CardTitle>
        <SubAgentLine item={item} />
        <div
          tabIndex={0}
          role="region"
          aria-label="Plan"
          className="max-h-[min(28rem,42dvh)] overflow-auto short:max-h-none border-y border-line px-4 py-3 focus-visible:-outline-offset-2"
        >
          {plan === null ? (
            <p className="text-muted">This plan has no text, so it can’t be approved. Ask Claude to write it out.</p>
          ) : (
            <MarkdownView text={plan} isGrowing={false} />
          )}
          <div ref={end} aria-hidden="true" className="-mt-1 h-1" />
        </div>
      </CardBody>
      <CardEnd>
        <CardFailure failure={failure} />
        {mayAnswer && (
          <>
            <CardBlock reason={plan !== null && !isSeen ? 'Read to the end to approve this plan.' : null} />
            <AnswerRow
              answer={answer}
              reasonLabel="Keep planning…"
              placeholder="What should change? (Claude will see it)"
              submitLabel="Keep planning"
              isWriting={isWriting}
              onWriting={setWriting}
            >
              {plan !== null && (
                <AnswerButton
                  keyName="1"
                  variant="primary"
                  busy={isGiving}
                  disabled={isGiving || !isSeen}
                  onClick={() => give({ decision: 'allow_once' })}
                >
                  Approve the plan
                </AnswerButton>
              )}
            </AnswerRow>
          </>
        )}
      </CardEnd>
    </>
  );
}
