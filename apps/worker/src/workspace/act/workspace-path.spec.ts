import fc from 'fast-check';
import { parseWorkspacePath } from './workspace-path';

const codeOf = (path: string) => {
  try {
    return parseWorkspacePath(path);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a path in a workspace', () => {
  it.each([
    ['', ''],
    ['.', ''],
    ['a//b/./c/', 'a/b/c'],
    ['...', '...'],
    ['a/..b', 'a/..b'],
    ['-rf', '-rf'],
    ['~', '~'],
    ['.gitignore', '.gitignore'],
    ['a\\..\\b', 'a\\..\\b'],
    ['%2e%2e/%2f', '%2e%2e/%2f'],
    ['a/\ufffdFF', 'a/\ufffdFF'],
    ['a\ufffd2Fb/\ufffdE6\ufffd97\ufffdA5', 'a/b/日'],
    ['\ufffdFF'.repeat(255), '\ufffdFF'.repeat(255)],
  ])('%j is %j', (path, expected) => {
    expect(codeOf(path)).toBe(expected);
  });

  it.each([
    ['..', 'VALIDATION_FAILED'],
    ['a/../b', 'VALIDATION_FAILED'],
    ['a/..', 'VALIDATION_FAILED'],
    ['/etc/passwd', 'VALIDATION_FAILED'],
    ['//a', 'VALIDATION_FAILED'],
    ['a\0b', 'VALIDATION_FAILED'],
    ['\ufffd2E\ufffd2E/b', 'VALIDATION_FAILED'],
    ['\ufffd2Fetc/passwd', 'VALIDATION_FAILED'],
    ['a\ufffd00b', 'VALIDATION_FAILED'],
    ['\ufffdFF'.repeat(256), 'VALIDATION_FAILED'],
    ['\ufffd2Egit/config', 'NOT_FOUND'],
    ['é'.repeat(128), 'VALIDATION_FAILED'],
    ['a/'.repeat(2049), 'VALIDATION_FAILED'],
    ['.git/config', 'NOT_FOUND'],
    ['sub/.git', 'NOT_FOUND'],
  ])('%j is refused with %s', (path, code) => {
    expect(codeOf(path)).toBe(code);
  });

  it('never leaves the root, whatever it was', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', '.git', '/'), fc.string());
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join('/')),
        (path) => {
          const parsed = codeOf(path);
          if (parsed === 'VALIDATION_FAILED' || parsed === 'NOT_FOUND') return;
          expect(parsed.startsWith('/')).toBe(false);
          expect(parsed.split('/')).not.toContain('..');
          expect(parseWorkspacePath(parsed)).toBe(parsed);
        },
      ),
    );
  });
});
