import type { TranscriptItem, TranscriptState, TurnView } from '@chirality/domain';

const MAX_RESULT = 2_000;
/** From the newest turn backwards. */
const MAX_TEXT = 512 * 1024;

/** The turns as a person reads them, in Markdown; the oldest ones are left out where it gets too long. */
export function logOf({ turns }: TranscriptState, hasEarlier: boolean): string {
  const shown: string[] = [];
  let length = 0;
  for (const turn of turns.filter(({ kind }) => kind !== 'system').reverse()) {
    const text = turnText(turn);
    length += text.length;
    if (length > MAX_TEXT && shown.length > 0) break;
    shown.unshift(text);
  }
  const isCut = hasEarlier || shown.length < turns.filter(({ kind }) => kind !== 'system').length;
  return [...(isCut ? ['(Earlier turns are left out.)'] : []), ...shown].join('\n\n');
}

function turnText(turn: TurnView): string {
  const cost = turn.costUsd === null ? '' : `, $${turn.costUsd}`;
  return [
    `## ${turn.authorName ?? 'Someone'}, ${turn.queuedAt}`,
    turn.message ?? '',
    ...turn.items.flatMap(itemText),
    ...(turn.error ? [`${turn.error.code}: ${turn.error.detail}`] : []),
    `(${turn.id}: ${turn.status}${cost})`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function itemText(item: TranscriptItem): string[] {
  switch (item.type) {
    case 'text':
      return [item.text];
    case 'tool':
      return [
        `### ${item.name ?? 'Tool'}, ${item.status}`,
        fenced(JSON.stringify(item.input ?? {}, null, 2)),
        ...(item.content === null || item.content === undefined ? [] : [fenced(plainOf(item.content))]),
      ];
    case 'permission':
      return [`(Permission for ${item.tool}: ${item.answer?.outcome ?? 'not answered yet'}.)`];
    case 'notice':
      return [`(${item.text})`];
    default:
      return [];
  }
}

function plainOf(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)}…` : text;
}

/** With a fence that the text cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
