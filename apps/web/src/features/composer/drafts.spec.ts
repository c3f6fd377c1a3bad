import type { KeyValueStore } from '../../lib/storage';
import { Draft } from './draft';
import { Drafts } from './drafts';
import { LiveDrafts } from './live-drafts';

function browser() {
  const values = new Map<string, string>();
  const store: KeyValueStore = {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
    keys: (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
  };
  let now = 0;
  return { values, tab: (tab: string, user = 'ada') => new Drafts(store, user, tab, () => (now += 1)), wait: (ms: number) => (now += ms) };
}

describe('drafts', () => {
  it('are kept by person and session, over a reload of the tab', () => {
    const { tab } = browser();
    tab('1').write('a', 'half a thought');
    expect([tab('1').read('a'), tab('1').read('b'), tab('1', 'bo').read('a')]).toEqual(['half a thought', '', '']);
  });

  it('of two tabs do not overwrite each other, whichever sends', () => {
    const { tab } = browser();
    tab('1').write('a', 'in tab one');
    tab('2').write('a', 'in tab two');
    tab('2').sent('a', 'in tab two');
    expect([tab('1').read('a'), tab('2').read('a')]).toEqual(['in tab one', '']);
  });

  it('do not come back once they were sent, from a tab that took them over either', () => {
    const { tab } = browser();
    tab('1').write('a', 'the same words');
    expect(tab('2').read('a')).toBe('the same words');
    tab('2').sent('a', 'the same words');
    expect([tab('1').read('a'), tab('2').read('a'), tab('3').read('a')]).toEqual(['', '', '']);
  });

  it('that were deleted in a tab stay deleted there, and old ones go', () => {
    const { tab, wait, values } = browser();
    tab('1').write('a', 'kept elsewhere');
    tab('2').write('a', '');
    expect(tab('2').read('a')).toBe('');
    wait(31 * 24 * 3_600_000);
    expect(tab('3').read('a')).toBe('');
    expect([...values.keys()]).toEqual([]);
  });

  it('are gone once an act was done with them, but not what was written while it was under way', () => {
    const { tab } = browser();
    const draft = new Draft(tab('1'), 'commit.a');
    draft.write('Fix the total ');
    draft.used('Fix the total');
    expect([draft.text.get(), tab('1').read('commit.a')]).toEqual(['', '']);
    draft.write('Fix the total, and then the tax');
    draft.used('Fix the total');
    expect([draft.text.get(), tab('1').read('commit.a')]).toEqual(['Fix the total, and then the tax', 'Fix the total, and then the tax']);
  });

  it('are one in a page, though the field was hidden and shown again while an act was under way', () => {
    const { tab } = browser();
    const live = new LiveDrafts((userId) => tab('1', userId));
    const before = live.of('ada', 'commit.a');
    before.write('Fix the total');
    live.of('ada', 'commit.a').write('Fix the tax');
    before.used('Fix the total');
    expect([live.of('ada', 'commit.a').text.get(), tab('1').read('commit.a')]).toEqual(['Fix the tax', 'Fix the tax']);
    before.used('Fix the tax');
    expect([live.of('ada', 'commit.a').text.get(), live.of('bo', 'commit.a').text.get()]).toEqual(['', '']);
  });

  it('take over what happened elsewhere while their field was hidden', () => {
    const { tab } = browser();
    const draft = new LiveDrafts((userId) => tab('1', userId)).of('ada', 'a');
    draft.write('the same words');
    tab('2').sent('a', 'the same words');
    draft.reread();
    expect(draft.text.get()).toBe('');
  });
});
