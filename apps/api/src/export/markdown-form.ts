import type { ExportForm } from './export-form';
import type { ExportedTurn, Part, SessionHeading } from './session-parts';

/** CommonMark that shows the same in every viewer. Nothing of the session can leave its quotation or its fence. */
export const markdownForm: ExportForm = {
  mediaType: 'text/markdown; charset=utf-8',
  extension: 'md',
  begin: ({ title, facts }: SessionHeading) =>
    `# ${inline(title)}\n\n${facts.map((fact) => `- ${inline(fact)}\n`).join('')}`,
  turn: function* ({ title, facts, parts }: ExportedTurn) {
    yield `\n## ${inline(title)}\n\n${facts === '' ? '' : `${inline(facts)}\n\n`}${parts.map(written).join('\n')}`;
  },
  end: () => '',
};

function written(part: Part): string {
  switch (part.type) {
    case 'said':
      return `${quoted(part.text)}\n`;
    case 'answer':
      return `${part.text.trimEnd()}\n`;
    case 'folded':
      return `**${inline(part.title)}**\n\n${fenced(part.text, part.language)}\n`;
    case 'note':
      return `*${inline(part.text)}*\n`;
  }
}

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** With a fence that is longer than every run of backticks inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** One line, whose characters mean nothing. */
const inline = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
