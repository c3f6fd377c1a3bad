import { variableMasks } from '@chirality/domain';
import { NO_CHANGES } from '../workspace/snapshot/file-changes';
import { changesNotice } from './changes-notice';

const file = { path: 'a.ts', status: 'modified', additions: 4, deletions: 1 };
const changes = {
  ...NO_CHANGES,
  files: [{ ...file, binary: false, patch: 'shown' as const, patchBytes: 4 }],
  fileCount: 1,
  additions: 4,
  deletions: 1,
  patch: 'diff',
};

describe('what people read of a turn’s changes', () => {
  it('is one line after a turn that ended well', () => {
    expect(changesNotice(changes, { cause: 'succeed', error: null }, 3_000)).toEqual({
      level: 'info',
      code: 'FILES_CHANGED',
      text: '1 file changed, +4 −1.',
      files: [file],
      fileCount: 1,
      additions: 4,
      deletions: 1,
      atLeast: false,
      truncated: false,
    });
  });

  it('counts files that are not listed, and says when there may be more', () => {
    const text = (fileCount: number, atLeast: boolean) =>
      changesNotice({ ...changes, fileCount, atLeast }, { cause: 'succeed', error: null }, 0).text;
    expect([text(3_001, false), text(3_001, true)]).toEqual([
      '3001 files changed, +4 −1.',
      'At least 3001 files changed, +4 −1.',
    ]);
  });

  it('says how long a turn ran that was cut off, and shows the diff', () => {
    const notice = changesNotice(changes, { cause: 'interrupt', error: null }, 12_400);
    expect(notice).toMatchObject({
      level: 'warning',
      text: 'The turn was cut off after 12 s. 1 file changed, +4 −1.',
      ranMs: 12_400,
      patch: 'diff',
    });
  });

  it('shows no half of a secret where the diff is cut', () => {
    const value = 'correct-horse-battery-staple-0123456789';
    const patch = `${'x'.repeat(31_980)} ${value} ${'y'.repeat(100)}`;
    const notice = changesNotice(
      { ...changes, patch },
      { cause: 'interrupt', error: null },
      1_000,
      variableMasks([value]),
    );
    expect(notice['patch']).toHaveLength(32_000);
    expect(notice['patch']).not.toContain('correct');
  });
});
