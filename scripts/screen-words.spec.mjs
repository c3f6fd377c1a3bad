import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const SOURCE = join(import.meta.dirname, '../apps/web/src');

/**
 * What the screen must not say beyond the words of docs/style.md, with what it says instead.
 * @type {[word: RegExp, instead: string][]}
 */
const NOT_SAID = [
  [/\b[Rr]efus(?:e[sd]?|ing|al)\b|\b[Ff]orbid(?:den|s)?\b|\bNot on the list\b/, 'deny, denied'],
  [/\bin all\b(?! \w)/, 'total'],
  [/\b[Tt]ells of\b/, 'sees, receives'],
  [/\bwhat (?:it|one) is called\b|\bhow you are called\b/, 'name'],
  [/\bThe same again\b/, 'Repeat'],
  [/\bMost (?:model )?turns\b/, 'Max. model turns'],
  [/\bas (?:built in|configured)\b/i, 'Default'],
  [/\bArchived ones\b/, 'Show archived'],
  [/\bOpen the session\b/, 'Start session'],
  [
    /\bWhat should be done\b|\bSay what should be done\b|\bWrite the next message meanwhile\b/,
    'What should Claude do?',
  ],
  [/\bEvery Bash\b|\bAlways allow\b/, 'Allow … in this session'],
  [/\bWhy not\?/, 'Reason (Claude will see it)'],
  [/\bDo not answer\b/, 'Skip question'],
  [/\bThe permission mode is now\b/, 'Back to asking before changes'],
  [/\bis limiting us\b/, 'Rate limit reached'],
  [/\bEdit and send again\b/, 'Edit & retry'],
  [/\bNothing to show\b/, 'Binary file added'],
  [/\bWhat was reached\b/, 'Network log'],
  [/\bGiven to\b/, 'Available to'],
  [/\bWrite one\b|\bLook at\b|\bSave a version\b/, 'New persona, View, Save version'],
  [/\bOnly tell(?:s)?\b/i, 'Warn only'],
  [/\bMake (?:the|your|a) (?:link|first project|project)\b/, 'Create'],
  [/\bAs the (?:system|mode|session|defaults) says?\b/i, 'System, Default'],
  [/\bThere is nothing here\b|\bNothing of that name\b/, 'Page not found, No results'],
  [/\bTake (?:the approval )?back\b/i, 'Revoke'],
  [/\b(?:started ahead|warm|cold start)\b/, 'not charged; a tooltip'],
  [
    /\bFetch an address\b|\bAn archive from here\b|\bYou choose the archive\b/,
    'Clone a public URL, From your computer',
  ],
];

/** Attributes that hold no text for people. */
const WORDLESS = new Set([
  'className',
  'class',
  'to',
  'href',
  'name',
  'id',
  'type',
  'dir',
  'autoComplete',
  'pattern',
  'side',
  'align',
  'd',
]);

/** @param {string} directory */
function sourceFiles(directory) {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => /\.tsx?$/.test(name) && !/\.spec\.tsx?$/.test(name))
    .map((name) => join(directory, name));
}

/**
 * Every text of a file that could be shown, with its line.
 * @param {string} file
 */
function textsOf(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  /** @type {{ text: string, line: number }[]} */
  const texts = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isJsxAttribute(node) && WORDLESS.has(node.name.getText(source))) return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      texts.push({
        text: node.text.replace(/\s+/g, ' ').trim(),
        line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** @type {(text: string) => boolean} */
const isSentence = (text) => /[a-z] [a-z]|^[A-Z][a-z]+$/i.test(text) && !/^[a-z]+$/.test(text);

describe('the words on the screen', () => {
  it('are the chosen ones', () => {
    const found = sourceFiles(SOURCE).flatMap((file) =>
      textsOf(file)
        .filter(({ text }) => isSentence(text))
        .flatMap(({ text, line }) =>
          NOT_SAID.filter(([word]) => word.test(text)).map(
            ([word, instead]) =>
              `${file.slice(SOURCE.length + 1)}:${line}: “${word.exec(text)?.[0]}” in “${text}”; say: ${instead}`,
          ),
        ),
    );
    expect(found).toEqual([]);
  });

  it('are found in attributes, elements and templates, and not in names of classes', () => {
    const texts = sourceFiles(SOURCE)
      .flatMap(textsOf)
      .map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['Message Claude…', 'Discard changes', 'No results']));
    expect(texts.filter((text) => /\bphone:|\btext-muted\b/.test(text) && text.startsWith('stack '))).toEqual([]);
  });
});
