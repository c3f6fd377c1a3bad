import { PageOfEntries } from './page-of-entries';

const PAGE = 500;

/** What a script prints of files with these names, by their bytes. */
function printed(names: readonly Buffer[]): Buffer {
  return Buffer.concat(
    names.toSorted((a, b) => Buffer.compare(a, b)).flatMap((name) => [Buffer.from('1/'), name, Buffer.from('/f/1\0')]),
  );
}

function pagesOf(records: Buffer): string[][] {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = new PageOfEntries('', cursor);
    page.push(records);
    const { data, nextCursor } = page.result();
    pages.push(data.map(({ path }) => path));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

describe('a page of a directory', () => {
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  // In the order of their bytes; the first, second and last are not UTF-8.
  const odd = [bytes('80'), bytes('81'), Buffer.from('é'), Buffer.from('\u{10000}'), bytes('ff')];

  it.each([1, 2, 3, 4])(
    'is followed by all the others where it ends after %d names of which some are not UTF-8',
    (before) => {
      const plain = Array.from({ length: PAGE - before }, (_, at) => Buffer.from(`a${at}`));
      const [first, second, ...more] = pagesOf(printed([...plain, ...odd]));
      expect(first).toHaveLength(PAGE);
      expect(second).toEqual(['\ufffd80', '\ufffd81', 'é', '\u{10000}', '\ufffdFF'].slice(before));
      expect(more).toEqual([]);
    },
  );

  it('begins after a name that is gone', () => {
    const names = Array.from({ length: PAGE + 2 }, (_, at) => Buffer.from(`a${1_000 + at}`));
    const first = new PageOfEntries('', undefined);
    first.push(printed(names));
    const { nextCursor } = first.result();
    const second = new PageOfEntries('', nextCursor ?? undefined);
    second.push(printed(names.filter((_, at) => at !== PAGE - 1)));
    expect(second.result().data.map(({ path }) => path)).toEqual(['a1500', 'a1501']);
  });
});
