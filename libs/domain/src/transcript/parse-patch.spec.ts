import fc from 'fast-check';
import { diffTexts } from './diff-texts';
import { quoteGitPath, readGitPath } from './git-path';
import { parsePatch, parseUnifiedDiff } from './parse-patch';
import { patchOfInput } from './tool-patch';

describe('reading a patch', () => {
  it('numbers the lines of structured hunks on both sides', () => {
    const patch = parsePatch([
      { oldStart: 4, oldLines: 2, newStart: 4, newLines: 2, lines: [' a', '-b', '+c', '\\ No newline at end of file'] },
    ]);
    expect(patch).toEqual({
      path: null,
      additions: 1,
      deletions: 1,
      hunks: [
        {
          oldStart: 4,
          newStart: 4,
          lines: [
            { kind: 'context', text: 'a', oldLine: 4, newLine: 4 },
            { kind: 'removed', text: 'b', oldLine: 5, newLine: null },
            { kind: 'added', text: 'c', oldLine: null, newLine: 5 },
          ],
        },
      ],
    });
  });

  it('splits a diff of several files, new and deleted ones included', () => {
    const files = parseUnifiedDiff(
      [
        'diff --git a/a.ts b/a.ts',
        'index 1..2 100644',
        '--- a/a.ts',
        '+++ b/a.ts',
        '@@ -1,2 +1,2 @@ function x',
        ' one',
        '--- looks like a header',
        '+++ so does this',
        'diff --git a/old.ts b/old.ts',
        'deleted file mode 100644',
        '--- a/old.ts',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-gone',
        'diff --git a/pic.png b/pic.png',
        'Binary files a/pic.png and b/pic.png differ',
        '',
      ].join('\n'),
    );
    expect(files.map(({ path, additions, deletions }) => ({ path, additions, deletions }))).toEqual([
      { path: 'a.ts', additions: 1, deletions: 1 },
      { path: 'old.ts', additions: 0, deletions: 1 },
      { path: 'pic.png', additions: 0, deletions: 0 },
    ]);
  });

  it.each([
    'plain',
    'a b',
    'quo"te',
    'back\\slash',
    'tab\tx',
    'new\nline',
    'bell\u0007 \u0001',
    '日本語 👩‍💻',
    ' b/x',
    ' lead',
  ])('reads the name %j as git writes it', (name) => {
    const [before, after] = [quoteGitPath(`a/${name}`), quoteGitPath(`b/${name}`)];
    const tab = name.includes(' ') && !after.startsWith('"') ? '\t' : '';
    expect(
      parseUnifiedDiff(
        `diff --git ${before} ${after}\nnew file mode 100644\n--- /dev/null\n+++ ${after}${tab}\n@@ -0,0 +1 @@\n+x\n`,
      ),
    ).toMatchObject([{ path: name, additions: 1 }]);
    expect(readGitPath(quoteGitPath(name)).path).toBe(name);
  });

  it('reads names in which git escapes every byte', () => {
    expect(readGitPath('"b/\\346\\227\\245.md" rest')).toEqual({ path: 'b/日.md', length: 19 });
  });

  it('ends a hunk that is shorter than its header says where the next file begins', () => {
    const files = parseUnifiedDiff('--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n a\ndiff --git a/b b/b\n@@ -0,0 +1 @@\n+b');
    expect(files.map(({ path, hunks }) => [path, hunks[0]!.lines.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  it.each([null, undefined, 3, {}, [], '', { structuredPatch: [] }])('answers null for %p', (patch) => {
    expect(parsePatch(patch)).toBeNull();
  });
});

describe('comparing two texts', () => {
  it('keeps what is equal and shows what was replaced', () => {
    const { hunks } = diffTexts('a', 'one\ntwo\nthree\n', 'one\n2\nthree\nfour\n');
    expect(hunks[0]!.lines.map((line) => `${line.kind[0]} ${line.text}`)).toEqual([
      'c one',
      'r two',
      'a 2',
      'c three',
      'a four',
    ]);
  });

  it('gives back both sides for any two texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffTexts(null, before, after).hunks.flatMap((hunk) => hunk.lines);
        const side = (not: string) =>
          lines
            .filter((line) => line.kind !== not)
            .map((line) => `${line.text}\n`)
            .join('');
        expect([side('added'), side('removed')]).toEqual([before, after]);
      }),
    );
  });
});

describe('the patch that an input announces', () => {
  it('is known for the file tools and for no other', () => {
    expect(patchOfInput('Write', { file_path: 'a', content: 'x\ny\n' })).toMatchObject({
      path: 'a',
      additions: 2,
      deletions: 0,
    });
    expect(
      patchOfInput('MultiEdit', {
        file_path: 'a',
        edits: [
          { old_string: 'x', new_string: 'y' },
          { old_string: 'z', new_string: '' },
        ],
      }),
    ).toMatchObject({
      additions: 1,
      deletions: 2,
    });
    expect(patchOfInput('Bash', { command: 'ls' })).toBeNull();
  });
});
