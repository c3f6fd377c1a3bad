import { settle } from '../../../test/fake-clock';
import type { KeyValueStore } from '../state/storage';
import { Draft } from './draft';
import { Drafts } from './drafts';
import { LiveDrafts } from './live-drafts';
import { markOf, MAX_FIELD_CHARACTERS, messageOf, usedIn, type Words } from './pasted-text';

const plain = (text: string): Words => ({ text, pasted: [] });
const messageIn = (drafts: Drafts, session = 'a') => messageOf(drafts.read(session)).message;

function browser(room = Infinity) {
  const values = new Map<string, string>();
  const store: KeyValueStore = {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => {
      const taken = [...values].reduce(
        (sum, [other, content]) => sum + (other === key ? 0 : content.length),
        value.length,
      );
      return taken <= room && values.set(key, value).has(key);
    },
    remove: (key) => void values.delete(key),
    keys: (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
  };
  let now = 0;
  return {
    values,
    tab: (tab: string, user = 'ada') => new Drafts(store, user, tab, () => (now += 1)),
    wait: (ms: number) => (now += ms),
  };
}

describe('drafts', () => {
  it('are kept by person and session, over a reload of the tab', () => {
    const { tab } = browser();
    tab('1').write('a', plain('half a thought'));
    expect([messageIn(tab('1')), messageIn(tab('1'), 'b'), messageIn(tab('1', 'bo'))]).toEqual([
      'half a thought',
      '',
      '',
    ]);
  });

  it('of two tabs do not overwrite each other, whichever sends', () => {
    const { tab } = browser();
    tab('1').write('a', plain('in tab one'));
    tab('2').write('a', plain('in tab two'));
    tab('2').sent('a', plain('in tab two'));
    expect([messageIn(tab('1')), messageIn(tab('2'))]).toEqual(['in tab one', '']);
  });

  it('do not come back once they were sent, from a tab that took them over either', () => {
    const { tab } = browser();
    tab('1').write('a', plain('the same words'));
    expect(messageIn(tab('2'))).toBe('the same words');
    tab('2').sent('a', plain('the same words'));
    expect([messageIn(tab('1')), messageIn(tab('2')), messageIn(tab('3'))]).toEqual(['', '', '']);
  });

  it('that were deleted in a tab stay deleted there, and old ones go', () => {
    const { tab, wait, values } = browser();
    tab('1').write('a', plain('kept elsewhere'));
    tab('2').write('a', plain(''));
    expect(messageIn(tab('2'))).toBe('');
    wait(31 * 24 * 3_600_000);
    expect(messageIn(tab('3'))).toBe('');
    expect([...values.keys()]).toEqual([]);
  });

  it('are gone once an act was done with them, but not what was written while it was under way', () => {
    const { tab } = browser();
    const draft = new Draft(tab('1'), 'commit.a');
    draft.write('Fix the total ');
    draft.used('Fix the total');
    expect([draft.text.get(), messageIn(tab('1'), 'commit.a')]).toEqual(['', '']);
    draft.write('Fix the total, and then the tax');
    draft.used('Fix the total');
    expect([draft.text.get(), messageIn(tab('1'), 'commit.a')]).toEqual([
      'Fix the total, and then the tax',
      'Fix the total, and then the tax',
    ]);
  });

  it('are one in a page, though the field was hidden and shown again while an act was under way', () => {
    const { tab } = browser();
    const live = new LiveDrafts((userId) => tab('1', userId));
    const before = live.of('ada', 'commit.a');
    before.write('Fix the total');
    live.of('ada', 'commit.a').write('Fix the tax');
    before.used('Fix the total');
    expect([live.of('ada', 'commit.a').text.get(), messageIn(tab('1'), 'commit.a')]).toEqual([
      'Fix the tax',
      'Fix the tax',
    ]);
    before.used('Fix the tax');
    expect([live.of('ada', 'commit.a').text.get(), live.of('bo', 'commit.a').text.get()]).toEqual(['', '']);
  });

  it('take over what happened elsewhere while their field was hidden', () => {
    const { tab } = browser();
    const draft = new LiveDrafts((userId) => tab('1', userId)).of('ada', 'a');
    draft.write('the same words');
    tab('2').sent('a', plain('the same words'));
    draft.reread();
    expect(draft.text.get()).toBe('');
  });

  it.each([0, 40])('that are empty have nothing to lose, whatever room the browser has: %d', (room) => {
    const { tab, values } = browser(room);
    const draft = new Draft(tab('1'), 'a');
    values.set(draft.storeKey, JSON.stringify({ text: 'what stood here', pasted: [], atMs: 1 }));
    draft.write('a letter more than there is room for');
    expect(draft.isKept.get()).toBe(false);
    draft.write('');
    expect([draft.isKept.get(), messageIn(tab('1'))]).toEqual([true, '']);
  });
});

describe('a long text that was pasted', () => {
  const content = `first line\r\n${'more '.repeat(5_000)}\n`;
  const withPaste = (drafts: Drafts) => {
    const draft = new Draft(drafts, 'a');
    draft.write(`/review ${draft.paste(content)} please`);
    return { draft, item: usedIn(draft.words)[0]! };
  };
  const message = `/review ${content} please`;

  it('is part of the message where its mark stands, as it was, also after a reload and in another tab', () => {
    const { tab } = browser();
    const { draft } = withPaste(tab('1'));
    expect([messageOf(draft.words).message, messageIn(tab('1')), messageIn(tab('2'))]).toEqual([
      message,
      message,
      message,
    ]);
    expect(draft.text.get().length).toBeLessThan(100);
  });

  it('is not written again with each key', () => {
    const { tab, values } = browser();
    const { draft } = withPaste(tab('1'));
    const written: string[] = [];
    const set = values.set.bind(values);
    values.set = (key, value) => {
      written.push(value);
      return set(key, value);
    };
    draft.write(`${draft.text.get()}!`);
    expect(written.map((value) => value.length < 200)).toEqual([true]);
    expect(messageIn(tab('1'))).toBe(`${message}!`);
  });

  it('can be put back where it stood, whichever way its mark was deleted', () => {
    const { tab } = browser();
    const { draft, item } = withPaste(tab('1'));
    draft.remove(item);
    expect([messageIn(tab('1')), draft.lastRemoved?.number]).toEqual(['/review  please', 1]);
    draft.putBack(item);
    expect([messageIn(tab('1')), draft.lastRemoved]).toEqual([message, null]);
    // A keyboard on a screen that deletes the last character of the mark.
    draft.write(draft.text.get().replace(markOf(item), markOf(item).slice(0, -1)));
    expect([draft.text.get(), draft.lastRemoved]).toEqual(['/review  please', item]);
    // The browser's own undo.
    draft.write(`/review ${markOf(item)} please`);
    expect([messageIn(tab('1')), draft.lastRemoved]).toEqual([message, null]);
  });

  it('leaves the next mark whole when the one before it is deleted', () => {
    const { tab } = browser();
    const draft = new Draft(tab('1'), 'a');
    const marks = Array.from({ length: 12 }, (_, at) => draft.paste(`text ${at + 1}`));
    draft.write(`${marks[0]}${marks[11]}`);
    draft.write(marks[11]!);
    expect(messageIn(tab('1'))).toBe('text 12');
  });

  it('can be made part of the text', () => {
    const { tab } = browser();
    const { draft, item } = withPaste(tab('1'));
    draft.unfold(item);
    expect(draft.text.get()).toBe(message.replace('\r\n', '\n'));
    expect([draft.pasted.get(), draft.lastRemoved]).toEqual([[], null]);
  });

  it('leaves nothing in the browser once it was sent, also from another tab', () => {
    const { tab, values } = browser();
    const { draft } = withPaste(tab('1'));
    const stored = values.get(draft.storeKey)!;
    const other = new Draft(tab('2'), 'a');
    other.write(`${other.text.get()}`);
    other.sent();
    draft.takenElsewhere(stored);
    expect([draft.text.get(), draft.pasted.get(), messageIn(tab('1'))]).toEqual(['', [], '']);
    expect([...values.values()].every((value) => value.length < 100)).toBe(true);
  });

  it('says so where the browser has no room for it, and is not lost while the page is there', () => {
    const { tab } = browser(1_000);
    const live = new LiveDrafts((userId) => tab('1', userId));
    const draft = live.of('ada', 'a');
    draft.write(`Read ${draft.paste(content)}`);
    expect([draft.isKept.get(), live.hasUnkept]).toEqual([false, true]);
    draft.reread();
    expect(messageOf(draft.words).message).toBe(`Read ${content}`);
    // What a reload would show: the text that was kept, without a mark that stands for nothing.
    expect(messageIn(tab('1'))).toBe('Read ');
    draft.sent();
    expect([draft.isKept.get(), live.hasUnkept]).toEqual([true, false]);
  });

  it('is kept as soon as a draft of another session makes room, sent or made shorter', async () => {
    const { tab } = browser(content.length * 1.5);
    const live = new LiveDrafts((userId) => tab('1', userId));
    const [first, second, third] = ['a', 'b', 'c'].map((session) => live.of('ada', session)) as [Draft, Draft, Draft];
    first.write(first.paste(content));
    second.write(second.paste(content));
    expect([first.isKept.get(), second.isKept.get()]).toEqual([true, false]);
    first.sent();
    await settle();
    expect([second.isKept.get(), messageIn(tab('1'), 'b')]).toEqual([true, content]);
    third.write(third.paste(content));
    expect(third.isKept.get()).toBe(false);
    second.write('something short');
    await settle();
    expect([third.isKept.get(), live.hasUnkept, messageIn(tab('1'), 'c')]).toEqual([true, false, content]);
  });

  it('is tried again in the next pause, when room may have been made elsewhere', () => {
    jest.useFakeTimers();
    const { tab, values } = browser(content.length * 1.5);
    values.set('something else', content);
    const draft = new Draft(tab('1'), 'a');
    draft.write(draft.paste(content));
    values.delete('something else');
    draft.write(`${draft.text.get()}!`);
    jest.advanceTimersByTime(1_000);
    jest.useRealTimers();
    expect([draft.isKept.get(), messageIn(tab('1'))]).toEqual([true, `${content}!`]);
  });

  it('has no warning left below it when another tab has sent the draft', () => {
    const { tab, values } = browser(200);
    const draft = new Draft(tab('1'), 'a');
    draft.write('half a thought');
    const stored = values.get(draft.storeKey)!;
    draft.isKept.set(false);
    draft.takenElsewhere(stored);
    expect([draft.text.get(), draft.isKept.get()]).toEqual(['', true]);
  });

  it('can be put back after earlier messages were shown in its place', () => {
    const { tab } = browser();
    const { draft, item } = withPaste(tab('1'));
    draft.remove(item);
    draft.write('');
    for (const earlier of ['an earlier message', 'x'.repeat(MAX_FIELD_CHARACTERS + 1), '']) {
      draft.replace(earlier);
      expect([messageOf(draft.words).message, draft.lastRemoved]).toEqual([earlier, item]);
    }
    draft.replace('an earlier message: ');
    draft.putBack(item);
    expect(messageIn(tab('1'))).toBe(`an earlier message: ${content}`);
  });

  it('is the one of another tab once that has sent this one, though its mark is the same', () => {
    const { tab } = browser();
    const draft = new Draft(tab('1'), 'a');
    draft.write(draft.paste('sent'));
    const other = new Draft(tab('2'), 'a');
    other.sent();
    other.write(other.paste('not sent'));
    draft.reread();
    expect(messageOf(draft.words).message).toBe('not sent');
    const inField = draft.pasted.get();
    draft.reread();
    expect(draft.pasted.get()).toBe(inField);
  });

  it('has no marks when it is made part of the text', () => {
    const { tab } = browser();
    const draft = new Draft(tab('1'), 'a');
    const mark = draft.paste('one');
    const second = draft.paste(`see ${mark}`);
    draft.write(`${mark} ${second}`);
    draft.unfold(usedIn(draft.words)[1]!);
    expect(messageOf(draft.words).message).toBe('one see [Pasted text 1]');
  });

  it('comes back folded from a message that was refused, above what was written meanwhile', () => {
    const { tab } = browser();
    const { draft } = withPaste(tab('1'));
    const sent = messageOf(draft.words);
    draft.sent();
    draft.write(`next ${draft.paste('other')}`);
    draft.giveBack(sent.message, sent.folds);
    expect(messageOf(draft.words).message).toBe(`${message}\n\nnext other`);
    expect(usedIn(draft.words).map((item) => item.content)).toEqual([content, 'other']);
    expect(messageIn(tab('1'))).toBe(`${message}\n\nnext other`);
  });
});
