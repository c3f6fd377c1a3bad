import { FoundEntries } from './found-entries';
import { REPLY_LIMIT_BYTES } from '../act/reply-budget';

function search(find: string, records: readonly string[], directory = '', complete = true) {
  const found = new FoundEntries(directory, find);
  found.push(Buffer.from(records.map((record) => `${record}\0`).join('')));
  return found.result(complete);
}

describe('what a search for files found', () => {
  it('has the part in its name, in capitals or not, and nothing that has it only in its path', () => {
    const { data, total } = search('Crane', ['f/3/src/CRANE.ts', 'd/0/cranes', 'f/1/cranes/boat.ts', 'l/0/my-crane']);
    expect(data).toEqual([
      { path: 'cranes', kind: 'directory', size: 0 },
      { path: 'my-crane', kind: 'symlink', size: 0 },
      { path: 'src/CRANE.ts', kind: 'file', size: 3 },
    ]);
    expect(total).toBe(3);
  });

  it('has a part with a slash in its path, which begins at the top', () => {
    const paths = (find: string) => search(find, ['f/1/lib/a.ts', 'f/1/b.ts'], 'src').data.map(({ path }) => path);
    expect(paths('src/lib/')).toEqual(['src/lib/a.ts']);
    expect(paths('src/')).toEqual(['src/b.ts', 'src/lib/a.ts']);
  });

  it('is counted, and kept only where it is the least deep', () => {
    const deep = Array.from({ length: 5_000 }, (_, at) => `f/1/a/b/${at}.ts`);
    const { data, total, left, nextCursor } = search('.ts', [...deep, 'f/1/z.ts', 'f/1/a/y.ts']);
    expect([data[0]?.path, data[1]?.path, data.length]).toEqual(['z.ts', 'a/y.ts', 200]);
    expect({ total, left, nextCursor }).toEqual({ total: 5_002, left: 4_802, nextCursor: null });
  });

  it('fits in a reply however long its paths are', () => {
    const folder = `${'"'.repeat(250)}/`.repeat(15);
    const list = search(
      'x',
      Array.from({ length: 200 }, (_, at) => `f/1/${folder}x${at}`),
    );
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(REPLY_LIMIT_BYTES);
    expect(list.data.length + list.left).toBe(200);
  });

  it('is counted, and not kept, where no call could open it', () => {
    const { data, total, left } = search('x', [`f/1/${'d/'.repeat(3_000)}x`, 'f/1/x']);
    expect([data.map(({ path }) => path), total, left]).toEqual([['x'], 2, 1]);
  });

  it('may not be all where the search was stopped, or could not read everything', () => {
    expect([search('x', [], '', false).atLeast, search('x', ['!']).atLeast, search('x', []).atLeast]).toEqual([
      true,
      true,
      false,
    ]);
    expect(search('!', ['!']).total).toBe(0);
  });
});
