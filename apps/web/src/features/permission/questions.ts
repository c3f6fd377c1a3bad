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

/** Null while a question has no answer; what was written by hand joins what was chosen. */
export function answersOf(questions: readonly Question[], chosen: ReadonlyMap<string, readonly string[]>, written: ReadonlyMap<string, string>): Record<string, string> | null {
  const answers: Record<string, string> = {};
  for (const { question } of questions) {
    const parts = [...(chosen.get(question) ?? []), (written.get(question) ?? '').trim()].filter((part) => part !== '');
    if (parts.length === 0) return null;
    answers[question] = parts.join(', ');
  }
  return answers;
}
