import { draftAfterRestore, draftAfterSave } from './persona-draft';

describe('the draft of a persona', () => {
  it('is gone once its words are saved', () => {
    expect(draftAfterSave({ text: 'a', baseVersion: 1 }, 'a', 2)).toBeNull();
    expect(draftAfterSave(null, 'a', 2)).toBeNull();
  });

  it('keeps what was typed while it was saved, on the version that was saved', () => {
    expect(draftAfterSave({ text: 'ab', baseVersion: 1 }, 'a', 2)).toEqual({ text: 'ab', baseVersion: 2 });
  });

  it('is gone once it was given up for an older version', () => {
    expect(draftAfterRestore({ text: 'a', baseVersion: 1 }, 'a')).toBeNull();
    expect(draftAfterRestore(null, null)).toBeNull();
  });

  it('keeps what was typed while an older version was restored, on the version before', () => {
    expect(draftAfterRestore({ text: 'ab', baseVersion: 1 }, 'a')).toEqual({ text: 'ab', baseVersion: 1 });
    expect(draftAfterRestore({ text: 'ab', baseVersion: 1 }, null)).toEqual({ text: 'ab', baseVersion: 1 });
  });
});
