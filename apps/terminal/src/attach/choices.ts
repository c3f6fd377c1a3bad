import type { PermissionItem } from '@chirality/domain';
import { oneLine, safe, visible, type SafeText } from '../text/safe-text';

/** The body of an answer. */
export type Answer = {
  decision: 'allow_once' | 'allow_pattern' | 'allow_tool' | 'deny';
  reason?: string;
  answers?: Record<string, { chosen: string[]; own: string }>;
};
type Choice = { label: SafeText; answer: Answer; asksReason?: true };

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What a person can answer, in the order in which it is offered. */
export function choicesOf(item: PermissionItem): Choice[] {
  const deny: Choice = { label: safe`Deny…`, answer: { decision: 'deny' }, asksReason: true };
  if (item.kind === 'plan')
    return [
      { label: safe`Approve the plan`, answer: { decision: 'allow_once' } },
      { ...deny, label: safe`Keep planning…` },
    ];
  if (item.kind === 'question') return [...questionChoices(item.input), { ...deny, label: safe`Skip the question…` }];
  // A push is made by a person who sees where it goes; the dashboard shows that.
  if (item.proposal !== null) return [deny];
  return [
    { label: safe`Allow once`, answer: { decision: 'allow_once' } },
    ...(item.pattern === null
      ? []
      : [
          {
            label: safe`Allow ${visible(item.pattern.replaceAll('\n', '⟨U+000A⟩'))} in this session`,
            answer: { decision: 'allow_pattern' as const },
          },
        ]),
    deny,
  ];
}

/** Whether a choice can be made: nothing is allowed before all that it would allow was shown. */
export function isOffered({ answer }: Choice, isRead: boolean): boolean {
  return isRead || answer.decision === 'deny';
}

/** Options of a single question; several at once are for the dashboard. */
function questionChoices(input: unknown): Choice[] {
  const questions = list(fields(input)['questions']);
  const { question, options, multiSelect } = fields(questions[0]);
  if (questions.length !== 1 || multiSelect === true || typeof question !== 'string') return [];
  return list(options).flatMap((option): Choice[] => {
    const { label } = fields(option);
    if (typeof label !== 'string') return [];
    const answers = { [question]: { chosen: [label], own: '' } };
    return [{ label: oneLine(label), answer: { decision: 'allow_once', answers } }];
  });
}

/** What is asked, in words. */
export function headlineOf(item: PermissionItem): SafeText {
  if (item.kind === 'plan') return safe`Claude has a plan`;
  if (item.kind === 'question') {
    const asked = list(fields(item.input)['questions']).map((each) => fields(each)['question']);
    const text = asked.filter((each) => typeof each === 'string').join(' / ');
    return safe`Claude asks: ${oneLine(text)}`;
  }
  const agent = item.agent === null ? safe`` : safe` (sub-agent ${oneLine(item.agent.type)})`;
  return safe`Claude wants to use ${oneLine(item.tool)}${agent}: ${oneLine(item.reason)}`;
}
