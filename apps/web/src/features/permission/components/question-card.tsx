import type { PermissionItem } from '@chirality/domain';
import { CircleHelp } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import type { Answering } from '../hooks/use-answer';
import { answersOf, questionsOf, type Question } from '../questions';
import { AnswerRow, CardFailure, CardTitle } from './card-parts';

type Props = { item: PermissionItem; answer: Answering; mayAnswer: boolean };
type QuestionProps = { question: Question; chosen: readonly string[]; onChoose: (labels: string[]) => void; written: string; onWrite: (text: string) => void };

function QuestionFields({ question, chosen, onChoose, written, onWrite }: QuestionProps) {
  const name = useId();
  const toggle = (label: string, isOn: boolean) => {
    if (!question.isMultiple) return onChoose([label]);
    onChoose(isOn ? [...chosen, label] : chosen.filter((other) => other !== label));
  };
  return (
    <fieldset className="stack gap-1.5">
      <legend className="pb-1.5 font-medium">{question.question}</legend>
      {question.options.map(({ label, description }) => (
        <label key={label} className="flex cursor-pointer gap-3 rounded-md border border-line px-3 py-2 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent">
          <input type={question.isMultiple ? 'checkbox' : 'radio'} name={name} checked={chosen.includes(label)} onChange={(event) => toggle(label, event.target.checked)} className="mt-1 accent-accent" />
          <span className="min-w-0">
            <span className="block">{label}</span>
            {description !== '' && <span className="block text-sm text-muted">{description}</span>}
          </span>
        </label>
      ))}
      <input
        value={written}
        onChange={(event) => onWrite(event.target.value)}
        aria-label={`Your own answer to: ${question.question}`}
        placeholder={question.options.length === 0 ? 'Your answer' : 'Something else'}
        maxLength={2000}
        className="h-9 rounded-md border border-line-strong bg-surface px-3 focus-visible:border-accent focus-visible:outline-offset-0 pointer-coarse:h-11"
      />
    </fieldset>
  );
}

export function QuestionCard({ item, answer, mayAnswer }: Props) {
  const questions = questionsOf(item.input);
  const [chosen, setChosen] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const [written, setWritten] = useState<ReadonlyMap<string, string>>(new Map());
  const answers = answersOf(questions, chosen, written);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (answers !== null) answer.give({ decision: 'allow_once', answers });
  };
  const formId = useId();
  return (
    <>
      <CardTitle icon={<CircleHelp size={16} />} expiresAt={item.expiresAt}>
        {questions.length > 1 ? 'Claude has questions' : 'Claude has a question'}
      </CardTitle>
      <form id={formId} onSubmit={submit} className="grid max-h-[min(30rem,50dvh)] gap-4 overflow-auto px-4 pt-1 pb-3">
        {questions.map((question) => (
          <QuestionFields
            key={question.question}
            question={question}
            chosen={chosen.get(question.question) ?? []}
            onChoose={(labels) => setChosen(new Map(chosen).set(question.question, labels))}
            written={written.get(question.question) ?? ''}
            onWrite={(text) => setWritten(new Map(written).set(question.question, text))}
          />
        ))}
      </form>
      <CardFailure failure={answer.failure} />
      {mayAnswer && (
        <AnswerRow label="Do not answer…" placeholder="What should Claude do instead?" submitLabel="Send" isBusy={answer.isGiving} onDeny={(reason) => answer.give({ decision: 'deny', ...(reason !== undefined && { reason }) })}>
          <Button type="submit" form={formId} variant="primary" busy={answer.isGiving} disabled={answers === null}>
            Answer
          </Button>
        </AnswerRow>
      )}
    </>
  );
}
