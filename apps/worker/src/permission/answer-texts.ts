import type { QuestionAnswer } from '@chirality/contracts';
import type { AnsweredPermission } from '@chirality/database';

/** The model's answer when a request was denied because no one was present. */
export const NO_ONE_PRESENT =
  'No one was present to answer this request, so it was denied. Continue without this tool, or say what you need and end your turn.';

/** The same for a turn that an agent began: no agent may answer, and no person did within a minute. */
export const NO_ANSWER_TO_AGENT =
  'No person answered this request of an agent’s turn in time, so it was denied. Continue without this tool, or end your turn and ask for a person to allow it.';

/**
 * The program takes one text for each question: free text stands on separate lines, so that no option is mistaken for
 * it.
 */
export function answersAsText(answers: Record<string, QuestionAnswer>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answers).map(([question, answer]) => [
      question,
      typeof answer === 'string' ? answer : textOf(answer),
    ]),
  );
}

/**
 * The command that runs in place of a push that a person made: it says what came of it, so that the model reads it as
 * the result of the command that it wrote.
 */
export function outcomeCommand({ isDone, text }: { isDone: boolean; text: string }): Record<string, unknown> {
  const said = `printf '%s\\n' '${text.replace(/\p{Cc}+/gu, ' ').replaceAll("'", `'\\''`)}'`;
  return { command: isDone ? said : `${said} >&2; exit 1`, description: 'What came of the push' };
}

/** What the model reads of a request that was not allowed. */
export function denialMessage(row: AnsweredPermission): string {
  if (row.resolvedReason === NO_ONE_PRESENT || row.resolvedReason === NO_ANSWER_TO_AGENT) return row.resolvedReason;
  if (row.outcome === 'expired')
    return 'No one answered the permission request in time, so it was denied. Continue without this tool or say what you need.';
  if (row.outcome === 'run_ended') return 'The request was withdrawn before anyone answered it.';
  if (row.by === null) return row.resolvedReason ?? 'Denied.';
  return row.resolvedReason ? `Denied by a person: ${row.resolvedReason}` : 'Denied by a person.';
}

function textOf({ chosen, own }: Exclude<QuestionAnswer, string>): string {
  const options = chosen.join(', ');
  if (own.trim() === '') return options;
  return options === '' ? own : `${options}\n\nIn their own words:\n${own}`;
}
