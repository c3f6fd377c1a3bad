const FENCE = /^\s*(```|~~~)/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const TABLE_RULE = /^(?=.*\|)(?=.*-)[\s|:-]+$/;

function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(>\s?)+/, '')
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/^\s*[-*+]\s+(\[[ xX]\]\s+)?/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(`+)(.+?)\1/g, '$2')
    .replace(/(\*\*\*|\*\*|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*\\])\*(?=\S)([^*]+?)(?<=[^\s\\])\*(?![\w*])/g, '$1')
    .replace(/(?<!\w)(__?)(?=\S)(.+?)(?<=\S)\1(?!\w)/g, '$2')
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1')
    .trim();
}

function cells(line: string): string {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(withoutMarks)
    .filter(Boolean)
    .join(', ');
}

/** Markdown as it is read aloud: the words of it, without the marks; a row of a table is its cells. */
export function plainText(markdown: string): string {
  let isCode = false;
  const lines = markdown.split('\n').flatMap((line) => {
    if (FENCE.test(line)) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [line];
    if (RULE.test(line) || TABLE_RULE.test(line)) return [];
    return [/^\s*\|.*\|\s*$/.test(line) ? cells(line) : withoutMarks(line)];
  });
  return lines
    .join('\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}
