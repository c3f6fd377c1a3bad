import { contentsOf, FormWatch } from './form-watch';

describe('the words of a form', () => {
  it('are unsaved once they were typed, and no longer when they were taken back', () => {
    const watch = new FormWatch('a');
    // A list that loads late changes a form without any input.
    expect(watch.isUnsaved('b')).toBe(false);
    watch.typed();
    expect([watch.isUnsaved('b'), watch.isUnsaved('a')]).toEqual([true, false]);
  });

  it('are saved by a submission, unless it failed', () => {
    const watch = new FormWatch('a');
    watch.typed();
    watch.submit('b');
    expect(watch.isUnsaved('b')).toBe(false);
    watch.outcome(true);
    expect(watch.isUnsaved('b')).toBe(true);
  });

  it('that follow a submission are compared with it', () => {
    const watch = new FormWatch('a');
    watch.typed();
    watch.submit('b');
    watch.outcome(false);
    watch.typed();
    expect([watch.isUnsaved('b'), watch.isUnsaved('a')]).toEqual([false, true]);
  });

  it('are those of fields, not of buttons and passwords', () => {
    const controls = [
      { type: 'text', value: 'x' },
      { type: 'checkbox', value: 'on', checked: true },
      { type: 'password', value: 'secret' },
      { type: 'submit', value: '' },
      { type: 'fieldset' },
    ];
    expect(contentsOf(controls)).toBe('["x",["on",true]]');
  });
});
