import { diffTexts } from '@chirality/domain';
import { changedWords } from './changed-words';

function marked(before: string, after: string): string[] {
  const { hunks } = diffTexts(null, before, after);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const ranges = changedWords(lines);
  return lines.map((line) => {
    const range = ranges.get(line);
    return range === undefined
      ? line.text
      : `${line.text.slice(0, range.from)}[${line.text.slice(range.from, range.to)}]${line.text.slice(range.to)}`;
  });
}

describe('what changed within a line', () => {
  it('is between the common beginning and the common end', () => {
    expect(marked('const a = 1;\n', 'const a = 22;\n')).toEqual(['const a = [1];', 'const a = [22];']);
    expect(marked('aaa\n', 'aaaa\n')).toEqual(['aaa[]', 'aaa[a]']);
  });

  it('is not marked where lines have little in common or do not pair', () => {
    expect(marked('hello\n', 'world\n')).toEqual(['hello', 'world']);
    expect(marked('one\n', 'one a\none b\n')).toEqual(['one', 'one a', 'one b']);
  });
});
