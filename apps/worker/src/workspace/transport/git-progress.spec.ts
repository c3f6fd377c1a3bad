import { GitProgressReader } from './git-progress';

const SAID = [
  'remote: Enumerating objects: 5, done.\n',
  'remote: Counting objects:  20% (1/5)\rremote: Counting objects: 100% (5/5), done.\n',
  'Receiving objects:  40% (2/5)\rReceiving objects:  80% (4/5), 1.50 MiB | 2.00 MiB/s\rReceiving objects: 100% (5/5), 3.00 MiB | 2.00 MiB/s, done.\n',
  'Resolving deltas:  50% (1/2)\rResolving deltas: 100% (2/2), done.\n',
].join('');

describe('what git says while it fetches', () => {
  it.each([1, 7, 10_000])('is understood in pieces of %i', (size) => {
    const reader = new GitProgressReader();
    const seen: unknown[] = [];
    for (let at = 0; at < SAID.length; at += size) {
      if (reader.read(SAID.slice(at, at + size))) seen.push(reader.last);
    }
    expect(reader.last).toEqual({
      phase: 'checking',
      percent: 100,
      bytes: 3 * 1024 * 1024,
      objects: { done: 2, total: 2 },
    });
    if (size === 1)
      expect(seen).toContainEqual({
        phase: 'receiving',
        percent: 80,
        bytes: 1.5 * 1024 * 1024,
        objects: { done: 4, total: 5 },
      });
    expect(reader.text).toBe('');
  });

  it('keeps the end of what else was said, bounded whatever a host sends', () => {
    const reader = new GitProgressReader(2);
    reader.read(`remote: hello\n${'x'.repeat(100_000)}\nfatal: no\n${'y'.repeat(100_000)}`);
    expect(reader.text.length).toBeLessThan(3_100);
    expect(reader.text).toContain('fatal: no');
  });

  it('learns of our own script what the remote has, and of no line that the remote sends', () => {
    const reader = new GitProgressReader();
    const commit = 'a'.repeat(40);
    reader.read(`remote: chirality: at the remote ${'b'.repeat(40)} 9\n`);
    expect(reader.last.remote).toBeUndefined();
    expect(reader.read(`chirality: at the remote ${commit} -\n`)).toBe(true);
    expect(reader.last.remote).toEqual({ commit, behind: null });
    reader.read(`chirality: at the remote ${commit} 12\nReceiving objects: 5% (1/20)\n`);
    expect(reader.last).toMatchObject({ phase: 'receiving', percent: 5, remote: { commit, behind: 12 } });
  });

  it('takes no percentage above a hundred', () => {
    const reader = new GitProgressReader();
    reader.read('Receiving objects: 999% (1/1)\n');
    expect(reader.last.percent).toBe(100);
  });
});
