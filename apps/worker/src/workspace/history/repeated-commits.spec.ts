import { ScriptFailure } from '../script/script-failure';
import { RepeatedCommits } from './repeated-commits';

const nothingLeft = () => Promise.reject(new ScriptFailure(45, 'there is nothing to commit'));

describe('a commit that is ordered twice', () => {
  it('is made once while it is being made', async () => {
    const commits = new RepeatedCommits();
    let made = 0;
    let finish: (commit: string) => void = () => undefined;
    const make = () => new Promise<string>((resolve) => ((made += 1), (finish = resolve)));
    const both = [commits.once('s', 'order', make), commits.once('s', 'order', make)];
    await Promise.resolve();
    finish('abc');
    expect(await Promise.all(both)).toEqual(['abc', 'abc']);
    expect(made).toBe(1);
  });

  it('has the same answer afterwards, until its order is forgotten', async () => {
    let now = 0;
    const commits = new RepeatedCommits(() => now);
    await commits.once('s', 'order', () => Promise.resolve('abc'));
    expect(await commits.once('s', 'order', nothingLeft)).toBe('abc');
    await expect(commits.once('s', 'another', nothingLeft)).rejects.toMatchObject({ code: 45 });
    await expect(commits.once('other', 'order', nothingLeft)).rejects.toMatchObject({ code: 45 });
    now = 11 * 60_000;
    await expect(commits.once('s', 'order', nothingLeft)).rejects.toMatchObject({ code: 45 });
  });

  it('is refused again for another reason, such as a merge that began since', async () => {
    const commits = new RepeatedCommits();
    await commits.once('s', 'order', () => Promise.resolve('abc'));
    const unfinished = () => Promise.reject(new ScriptFailure(45, 'a merge is not finished'));
    await expect(commits.once('s', 'order', unfinished)).rejects.toMatchObject({ reason: 'a merge is not finished' });
  });

  it('is a new commit when there is something to commit again', async () => {
    const commits = new RepeatedCommits();
    await commits.once('s', 'order', () => Promise.resolve('abc'));
    expect(await commits.once('s', 'order', () => Promise.resolve('def'))).toBe('def');
  });
});
