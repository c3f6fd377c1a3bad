import ts from 'typescript';
import { oldWords, oldWordsFound, usesOf, checkedFiles, checkedText } from '../launcher/structure/old-words.mjs';

const WORDS = oldWords();
const files = checkedFiles();

describe('the words of docs/style.md', () => {
  it('are not used', () => {
    expect(WORDS.length).toBeGreaterThan(40);
    expect(files.length).toBeGreaterThan(1000);
    expect(oldWordsFound(files)).toEqual([]);
  });

  it.each([
    ['whoever reads\n * any\n * more of it', ['whoever', 'any\n * more']],
    ['Nobody else', ['Nobody']],
    ['const turnJournal: TurnJournal = JOURNAL;', ['Journal', 'Journal', 'JOURNAL']],
    ['turn-journal.ts', ['journal']],
    ['MOST_BYTES and ALMOST_ALL', ['MOST_']],
    ['label, GitLab, collaboration, journalist, recommend', []],
    ["path: 'surroundings', surroundings", ['surroundings']],
  ])('are found as words, in phrases over lines, and in identifiers: %j', (text, expected) => {
    expect(usesOf(WORDS, text).map(({ word }) => word)).toEqual(expected);
  });
});

const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const LOG_KEY = /^[a-z]+(?:_[a-z]+)*(?:\.[a-z]+(?:_[a-z]+)*)+$/;

/**
 * The messages of log lines that are written as literals, as `[message, file and line]`.
 * @param {string} file
 */
function logMessagesOf(file) {
  const source = ts.createSourceFile(file, checkedText(file), ts.ScriptTarget.Latest, true);
  /** @type {[message: string, place: string][]} */
  const messages = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isCallExpression(node) && isLogCall(node.expression, source)) {
      const message = node.arguments.length === 1 ? node.arguments[0] : node.arguments[1];
      if (message && (ts.isStringLiteralLike(message) || ts.isTemplateExpression(message)))
        messages.push([message.getText(source).slice(1, -1), `${file}:${lineOf(source, message)}`]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return messages;
}

/**
 * @param {ts.Expression} called
 * @param {ts.SourceFile} source
 */
function isLogCall(called, source) {
  if (!ts.isPropertyAccessExpression(called) || !LEVELS.has(called.name.text)) return false;
  return /log$|logger$/i.test(called.expression.getText(source));
}

/** @type {(source: ts.SourceFile, node: ts.Node) => number} */
const lineOf = (source, node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

it('log lines have keys of one grammar, noun and what happened', () => {
  const messages = files
    .filter((file) => /^(?:apps|libs)\/(?:.+\/)?src\/.*\.ts$/.test(file) && !file.endsWith('.spec.ts'))
    .flatMap(logMessagesOf);
  expect(messages.length).toBeGreaterThan(50);
  expect(messages.filter(([message]) => !LOG_KEY.test(message))).toEqual([]);
});
