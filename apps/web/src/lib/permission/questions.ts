import { ownValue } from '../state/own-value';
import type { AnswerDraft } from './answer-drafts';

export type QuestionOption = { label: string; description: string };
export type Question = { question: string; header: string; options: QuestionOption[]; isMultiple: boolean };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** The questions that the model put, read from its tool's input. */
export function questionsOf(input: unknown): Question[] {
  const list = fields(input).questions;
  if (!Array.isArray(list)) return [];
  return list.map((entry): Question => {
    const { question, header, options, multiSelect } = fields(entry);
    return {
      question: text(question),
      header: text(header),
      options: (Array.isArray(options) ? options : []).map((option) => ({
        label: text(fields(option).label),
        description: text(fields(option).description),
      })),
      isMultiple: multiSelect === true,
    };
  });
}

/** What is ticked and written on a card. */
type Ticks = Pick<AnswerDraft, 'chosen' | 'written' | 'isOwn'>;

/** Own words count only while they are ticked; a question without options has nothing else. */
function ownWordsOf({ question, options }: Question, { written, isOwn }: Ticks): string {
  return options.length === 0 || ownValue(isOwn, question) === true ? (ownValue(written, question) ?? '').trim() : '';
}

type GivenAnswer = { chosen: string[]; own: string };

/** Null while a question has no answer. Ticked options and own words, as they were written, stay apart. */
export function answersOf(questions: readonly Question[], ticks: Ticks): Record<string, GivenAnswer> | null {
  const answers: [string, GivenAnswer][] = [];
  for (const question of questions) {
    const chosen = [...(ownValue(ticks.chosen, question.question) ?? [])];
    const own = ownWordsOf(question, ticks);
    // Ticked and left empty is half an answer.
    if (own === '' && (chosen.length === 0 || ownValue(ticks.isOwn, question.question) === true)) return null;
    answers.push([question.question, { chosen, own }]);
  }
  return questions.length === 0 ? null : Object.fromEntries(answers);
}
