import { refuseClashes } from './zip-clashes';

const file = (path: string) => ({ path, kind: 'file' as const });
const deep = (root: string) => Array.from({ length: 98 }, (_, at) => `${root}${String(at)}`).join('/');

describe('entries of an archive that cannot be beside each other', () => {
  it('lets others have their turn, and looks at a directory only once, however many entries share it', async () => {
    const entries = Array.from({ length: 20_000 }, (_, at) => file(`${deep('d')}/${String(at)}`));
    let turns = 0;
    let ended = false;
    const count = () => {
      turns += 1;
      if (!ended) setImmediate(count);
    };
    setImmediate(count);
    const steps = jest.spyOn(String.prototype, 'lastIndexOf');
    await refuseClashes(entries, 98).finally(() => (ended = true));
    const looked = steps.mock.calls.length;
    steps.mockRestore();
    expect(looked).toBeLessThan(21_000);
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  it('limits the directories that entries need', async () => {
    await expect(refuseClashes([file(`${deep('a')}/x`), file(`${deep('b')}/x`)], 98)).rejects.toMatchObject({
      kind: 'tooLarge',
    });
  });

  it.each([[['a/b', 'a/b/c/d']], [['a/b/c/d', 'a/b']], [['a/b/x', 'a/b/c/d', 'a/b/c']]])(
    'finds the file where others need a directory: %j',
    async (paths) => {
      await expect(refuseClashes(paths.map(file), 10)).rejects.toThrow('is both a file and a directory');
    },
  );

  it('finds a directory that is also a file or a link', async () => {
    const entries = [
      { path: 'a/b', kind: 'directory' as const },
      { path: 'a/b', kind: 'symlink' as const },
    ];
    await expect(refuseClashes(entries, 10)).rejects.toThrow('“a/b” is both');
  });
});
