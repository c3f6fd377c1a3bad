import { Slots } from './slots';

describe('a bound of concurrent works', () => {
  it('holds, keeps the order, and frees the slot of a work that failed', async () => {
    const slots = new Slots(2);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const work = (number: number) => async () => {
      order.push(number);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (number === 1) throw new Error('no');
      return number;
    };
    const results = await Promise.allSettled([0, 1, 2, 3, 4].map((number) => slots.run(work(number))));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect({ most, order }).toEqual({ most: 2, order: [0, 1, 2, 3, 4] });
    await expect(slots.run(work(5))).resolves.toBe(5);
  });
});
