import fc from 'fast-check';
import { patchText, pathBytes, pathText } from './path-text';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a path on the wire', () => {
  it.each([
    ['a name in UTF-8 is itself', Buffer.from('日本/👩‍💻 "\t\n\\.ts'), '日本/👩‍💻 "\t\n\\.ts'],
    [
      'a byte of no character is marked, with its digits',
      latin1('a\xffb/\xe4\xf6.txt'),
      'a\ufffdFFb/\ufffdE4\ufffdF6.txt',
    ],
    ['so is a character that breaks off', latin1('\xe6\x97'), '\ufffdE6\ufffd97'],
    ['so is the mark that really stands in a name', Buffer.from('\ufffdFF'), '\ufffdEF\ufffdBF\ufffdBDFF'],
    ['a byte order mark stays', Buffer.from('\ufeffa'), '\ufeffa'],
  ])('%s', (_, bytes, text) => {
    expect(pathText(bytes)).toBe(text);
    expect(pathBytes(text)).toEqual(bytes);
  });

  it('stands for the very bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(pathBytes(pathText(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('is itself where a mark has no digits', () => {
    expect(pathBytes('a\ufffd.txt')).toEqual(Buffer.from('a\ufffd.txt'));
  });

  it('is in the header of a patch, and not in its lines', () => {
    const patch = latin1('diff --git a/\xff b/\xff\n--- a/\xff\n+++ b/\xff\n@@ -1 +1 @@\n+\xff\n');
    expect(patchText(patch)).toBe(
      'diff --git a/\ufffdFF b/\ufffdFF\n--- a/\ufffdFF\n+++ b/\ufffdFF\n@@ -1 +1 @@\n+\ufffd\n',
    );
  });
});
