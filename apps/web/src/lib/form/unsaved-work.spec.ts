import { UnsavedWork } from './unsaved-work';

describe('unsaved work', () => {
  it('is left at once where there is none, and else only when the person gives it up', async () => {
    const work = new UnsavedWork();
    let isUnsaved = false;
    const forget = work.watch(() => isUnsaved);
    expect(await work.mayLeave()).toBe(true);
    isUnsaved = true;
    for (const answer of [false, true]) {
      const leaving = work.mayLeave();
      work.asking.get()?.(answer);
      expect([await leaving, work.asking.get()]).toEqual([answer, null]);
    }
    expect(await work.mayLeave()).toBe(true);
    forget();
    expect(work.exists).toBe(false);
  });

  it('of a part is asked about without the rest of the page', async () => {
    const [page, dialog] = [new UnsavedWork(), new UnsavedWork()];
    page.watch(() => true);
    expect(await page.mayLeave(dialog)).toBe(true);
  });

  it('is asked about once: a second way out takes the place of the first, which stays', async () => {
    const work = new UnsavedWork();
    work.watch(() => true);
    const [first, second] = [work.mayLeave(), work.mayLeave()];
    work.asking.get()?.(true);
    expect(await Promise.all([first, second])).toEqual([false, true]);
  });
});
