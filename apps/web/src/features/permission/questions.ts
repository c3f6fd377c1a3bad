import type { AnswerDraft } from './answer-drafts';

export type QuestionOption = { label: string; description: string };
export type Question = { question: string; header: string; options: QuestionOption[]; isMultiple: boolean };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const fields = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});

/** The questions that the model put, read from its tool's input. */
export function questionsOf(input: unknown): Question[] {
  const list = fields(input).questions;
  if (!Array.isArray(list)) return [];
  return list.map((entry): Question => {
    const { question, header, options, multiSelect } = fields(entry);
    return {
      question: text(question),
      header: text(header),
      options: (Array.isArray(options) ? options : []).map((option) => ({ label: text(fields(option).label), description: text(fields(option).description) })),
      isMultiple: multiSelect === true,
    };
  });
}

/** What is ticked and written on a card. */
export type Ticks = Pick<AnswerDraft, 'chosen' | 'written' | 'isOwn'>;

/** Begins a person's own words where options were ticked as well, so that the two can be told apart. */
export const OWN_WORDS = 'In my own words: ';

/** Own words count only while they are ticked; a question without options has nothing else. */
function ownWordsOf({ question, options }: Question, { written, isOwn }: Ticks): string {
  return options.length === 0 || isOwn[question] === true ? (written[question] ?? '').trim() : '';
}

/** Null while a question has no answer. Options are joined as the program joins them; own words follow on a line of their own, as they were written. */
export function answersOf(questions: readonly Question[], ticks: Ticks): Record<string, string> | null {
  const answers: Record<string, string> = {};
  for (const question of questions) {
    const options = (ticks.chosen[question.question] ?? []).join(', ');
    const words = ownWordsOf(question, ticks);
    // Ticked and left empty is half an answer.
    if (words === '' && (options === '' || ticks.isOwn[question.question] === true)) return null;
    answers[question.question] = options === '' ? words : words === '' ? options : `${options}\n${OWN_WORDS}${words}`;
  }
  return questions.length === 0 ? null : answers;
}
