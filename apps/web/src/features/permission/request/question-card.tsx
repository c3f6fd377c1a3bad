import type { PermissionItem } from '@chirality/domain';
import { CircleHelp } from 'lucide-react';
import { useContext, useId, type FormEvent, type KeyboardEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { ownValue } from '../../../lib/state/own-value';
import type { AnswerDraft } from '../../../lib/permission/answer-drafts';
import type { Answering } from './use-answer';
import { answersOf, questionsOf, type Question } from '../../../lib/permission/questions';
import { AnswerRow, CardBody, CardEnd, CardFailure, CardGuard, CardTitle, useWriting } from './card-parts';
import { SubAgentLine } from './sub-agent-line';

type Props = { item: PermissionItem; answer: Answering; mayAnswer: boolean };
type QuestionProps = { question: Question; draft: AnswerDraft; onDraft: (draft: AnswerDraft) => void };

const OPTION =
  'flex cursor-pointer gap-3 rounded-md border border-line px-3 py-2 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent';
const WORDS =
  'field max-h-40 min-h-9 w-full resize-y rounded-md border border-line-strong bg-surface px-3 py-1.5 focus-visible:border-accent focus-visible:outline-offset-0';

function Words({ question, draft, onDraft }: QuestionProps) {
  const { question: key, options, isMultiple } = question;
  const write = (text: string) => {
    // Who writes their own words means them: in a choice of one they take the place of the option.
    const isOwn = options.length > 0 && text !== '' ? { ...draft.isOwn, [key]: true } : draft.isOwn;
    const chosen = ownValue(isOwn, key) === true && !isMultiple ? { ...draft.chosen, [key]: [] } : draft.chosen;
    onDraft({ ...draft, written: { ...draft.written, [key]: text }, isOwn, chosen });
  };
  return (
    <textarea
      dir="auto"
      rows={1}
      value={ownValue(draft.written, key) ?? ''}
      onChange={(event) => write(event.target.value)}
      aria-label={`Your own answer to: ${key}`}
      placeholder={options.length === 0 ? 'Your answer' : 'Something else'}
      className={WORDS}
    />
  );
}

function QuestionFields({ question, draft, onDraft }: QuestionProps) {
  const name = useId();
  const { question: key, options, isMultiple } = question;
  const chosen = ownValue(draft.chosen, key) ?? [];
  const isOwn = ownValue(draft.isOwn, key) === true;
  const type = isMultiple ? 'checkbox' : 'radio';
  const choose = (label: string, isOn: boolean) => {
    if (!isMultiple)
      return onDraft({
        ...draft,
        chosen: { ...draft.chosen, [key]: [label] },
        isOwn: { ...draft.isOwn, [key]: false },
      });
    onDraft({
      ...draft,
      chosen: { ...draft.chosen, [key]: isOn ? [...chosen, label] : chosen.filter((other) => other !== label) },
    });
  };
  const chooseOwn = (isOn: boolean) =>
    onDraft({
      ...draft,
      isOwn: { ...draft.isOwn, [key]: isOn },
      chosen: isMultiple ? draft.chosen : { ...draft.chosen, [key]: [] },
    });
  return (
    <fieldset className="stack gap-1.5">
      <legend className="pb-1.5 font-medium whitespace-pre-wrap wrap-anywhere">
        <UntrustedText text={key} mode="prose" />
      </legend>
      {options.map(({ label, description }, at) => (
        <label key={at} className={OPTION}>
          <input
            type={type}
            name={name}
            checked={chosen.includes(label)}
            onChange={(event) => choose(label, event.target.checked)}
            className="mt-1 accent-accent"
          />
          <span className="min-w-0 wrap-anywhere">
            <span className="block">
              <UntrustedText text={label} mode="prose" />
            </span>
            {description !== '' && (
              <span className="block text-sm whitespace-pre-wrap text-muted">
                <UntrustedText text={description} mode="prose" />
              </span>
            )}
          </span>
        </label>
      ))}
      {options.length === 0 ? (
        <Words question={question} draft={draft} onDraft={onDraft} />
      ) : (
        <div className="flex items-start gap-3 ps-3">
          <input
            type={type}
            name={name}
            checked={isOwn}
            onChange={(event) => chooseOwn(event.target.checked)}
            aria-label={`Send your own answer to: ${key}`}
            className="mt-2.5 accent-accent"
          />
          <Words question={question} draft={draft} onDraft={onDraft} />
        </div>
      )}
    </fieldset>
  );
}

/** Enter in a box or circle ticks nothing and sends nothing: only the button sends. */
function keepFromSending(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

export function QuestionCard({ item, answer, mayAnswer }: Props) {
  const { isAnswerable, guard } = useContext(CardGuard);
  const questions = questionsOf(item.input);
  const { draft, setDraft, isGiving, give } = answer;
  const answers = answersOf(questions, draft);
  const [isSkipping, setSkipping] = useWriting(answer);
  const formId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (answers !== null && !isGiving) guard(() => give({ decision: 'allow_once', answers }));
  };
  return (
    <>
      <CardBody>
        <CardTitle icon={<CircleHelp size={16} />} expiresAt={item.expiresAt} outcome="skipped">
          {questions.length > 1 ? 'Claude has questions' : 'Claude has a question'}
        </CardTitle>
        <SubAgentLine item={item} />
        {isSkipping || !mayAnswer ? (
          <ul className="stack max-h-[30dvh] short:max-h-none gap-1.5 overflow-auto px-4 pb-3 font-medium">
            {questions.map(({ question }, at) => (
              <li key={at} className="whitespace-pre-wrap wrap-anywhere">
                <UntrustedText text={question} mode="prose" />
              </li>
            ))}
          </ul>
        ) : (
          <form
            id={formId}
            onSubmit={submit}
            onKeyDown={keepFromSending}
            className="grid max-h-[min(30rem,46dvh)] short:max-h-none gap-4 overflow-auto px-4 pt-1 pb-3"
          >
            {questions.map((question, at) => (
              <QuestionFields key={at} question={question} draft={draft} onDraft={setDraft} />
            ))}
          </form>
        )}
      </CardBody>
      <CardEnd>
        <CardFailure failure={answer.failure} />
        {mayAnswer && (
          <AnswerRow
            answer={answer}
            reasonLabel="Skip question…"
            placeholder="What should Claude do instead? (optional)"
            submitLabel="Skip question"
            isWriting={isSkipping}
            onWriting={setSkipping}
          >
            <Button
              type="submit"
              form={formId}
              variant="primary"
              busy={isGiving}
              disabled={answers === null}
              aria-disabled={!isAnswerable || undefined}
            >
              Send answer
            </Button>
          </AnswerRow>
        )}
      </CardEnd>
    </>
  );
}
