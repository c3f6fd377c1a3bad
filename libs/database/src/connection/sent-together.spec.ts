import { sentTogether } from './sent-together';

const failure = (code: string) => Object.assign(new Error(code), { code });
async function later<T>(act: () => T): Promise<T> {
  await new Promise((resolve) => setImmediate(resolve));
  return act();
}
const fails = (code: string): Promise<never> =>
  later(() => {
    throw failure(code);
  });

describe('statements that were sent together', () => {
  it('answer what each of them answers', async () => {
    expect(await sentTogether([later(() => 1), Promise.resolve('two'), undefined])).toEqual([1, 'two', undefined]);
  });

  it('fail by what failed first of all, however early the others say that they were not done', async () => {
    await expect(
      sentTogether([fails('55P03'), Promise.reject(failure('25P02')), Promise.reject(failure('25P02'))]),
    ).rejects.toMatchObject({ code: '55P03' });
    await expect(sentTogether([Promise.resolve(), Promise.reject(failure('25P02'))])).rejects.toMatchObject({
      code: '25P02',
    });
  });

  it('are all over when it is known that one failed', async () => {
    let over = false;
    const slow = later(() => (over = true));
    await expect(sentTogether([Promise.reject(failure('40P01')), slow])).rejects.toMatchObject({ code: '40P01' });
    expect(over).toBe(true);
  });
});
