import type { PermissionItem, ToolItem } from '@chirality/domain';
import { CircleHelp, ListChecks, ShieldQuestion } from 'lucide-react';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { ownValue } from '../../../lib/state/own-value';
import { MarkdownView } from '../../../components/markdown/markdown-view';
import { answerSentence } from '../../../lib/permission/answer-sentence';
import { planOf } from '../../../lib/permission/plan-text';
import { questionsOf } from '../../../lib/permission/questions';
import { resultParts } from '../tool/result-text';
import { summariseTool } from '../../../lib/tool/tool-summary';
import { useReading } from '../reading-context';

/**
 * A question, a plan or a request, at its place in the conversation, with who answered. The open ones are asked above
 * the composer.
 */
function answerText(tool: ToolItem | null): string | null {
  const part = tool?.status === 'succeeded' ? resultParts(tool.content)[0] : undefined;
  return part?.kind === 'text' ? part.text : null;
}

/** The ticked options, and a person's own words separately. */
function Given({ answer }: { answer: { chosen: string[]; own: string } | undefined }) {
  if (answer === undefined) return null;
  const { chosen, own } = answer;
  return (
    <ul aria-label="Answer" className="stack mt-1 gap-0.5 border-s-2 border-accent ps-2.5">
      {chosen.map((label, at) => (
        <li key={at} dir="auto" className="font-medium">
          <UntrustedText text={label} mode="prose" />
        </li>
      ))}
      {own !== '' && (
        <li dir="auto" className="whitespace-pre-wrap">
          “<UntrustedText text={own} mode="prose" />”
        </li>
      )}
    </ul>
  );
}

function skipped({ by, reason }: NonNullable<PermissionItem['answer']>): string {
  return `Skipped${by === null ? '' : ` by ${by.name}`}${reason === null || reason === '' ? '' : `: ${reason}`}`;
}

export function PermissionRow({ item, tool }: { item: PermissionItem; tool: ToolItem | null }) {
  const { cwd } = useReading();
  const state =
    item.answer === null
      ? 'Waiting for an answer'
      : item.kind === 'question' && item.answer.outcome === 'denied'
        ? skipped(item.answer)
        : answerSentence(item.answer);
  // The card above the composer shows it.
  if (item.answer === null && item.kind !== 'tool') return null;
  if (item.kind === 'question') {
    return (
      <section aria-label="Question" className="my-1.5 rounded-lg border border-line bg-surface px-3.5 py-3">
        <ul className="stack gap-1.5">
          {questionsOf(item.input).map(({ question }, at) => (
            <li key={at} className="flex gap-2.5">
              <CircleHelp size={15} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
              <div className="min-w-0 wrap-anywhere">
                <p className="whitespace-pre-wrap">
                  <UntrustedText text={question} mode="prose" />
                </p>
                <Given answer={ownValue(item.answer?.answers, question)} />
              </div>
            </li>
          ))}
        </ul>
        {item.answer?.outcome === 'allowed' && item.answer.answers === null && answerText(tool) !== null && (
          <p className="ps-6 pt-1.5 wrap-anywhere">{answerText(tool)}</p>
        )}
        <p className="pt-2 text-sm whitespace-pre-wrap text-muted">
          {item.answer?.outcome === 'allowed' && item.answer.by !== null ? `Answered by ${item.answer.by.name}` : state}
        </p>
      </section>
    );
  }
  if (item.kind === 'plan') {
    const plan = planOf(item.input);
    return (
      <section aria-label="Plan" className="my-1.5 rounded-lg border border-line bg-surface px-4 py-3">
        <p className="flex items-center gap-2 pb-2 text-sm font-medium">
          <ListChecks size={15} aria-hidden="true" className="text-accent" /> Plan
        </p>
        {item.answer !== null &&
          (plan === null ? (
            <p className="text-muted">This plan had no text.</p>
          ) : (
            <MarkdownView text={plan} isGrowing={false} />
          ))}
        <p className="pt-2 text-sm whitespace-pre-wrap text-muted wrap-anywhere">
          {item.answer?.outcome === 'allowed' && item.answer.by !== null ? `Approved by ${item.answer.by.name}` : state}
        </p>
      </section>
    );
  }
  const { verb, subject } = summariseTool({ name: item.tool, input: item.input }, cwd);
  return (
    <p className="flex items-center gap-2 py-1 text-sm text-muted">
      <ShieldQuestion size={14} aria-hidden="true" className="shrink-0 text-faint" />
      <span className="truncate font-mono">
        <UntrustedText text={`${verb} ${subject}`} />
      </span>
      <span className="shrink-0">{state}</span>
    </p>
  );
}
