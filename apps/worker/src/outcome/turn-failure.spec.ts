import { ProblemError } from '@chirality/platform';
import { endingOfError } from './turn-failure';

describe('what an exception makes of a turn', () => {
  it('keeps a known problem', () => {
    expect(endingOfError(new ProblemError('WORKSPACE_UNAVAILABLE', 'Busy.'))).toEqual({
      cause: 'fail',
      error: { code: 'WORKSPACE_UNAVAILABLE', detail: 'Busy.' },
    });
  });

  it.each(['ENOSPC', 'EDQUOT'])('says that the disk is full (%s)', (code) => {
    expect(endingOfError(Object.assign(new Error('write /data/sessions/x'), { code }))).toMatchObject({
      cause: 'fail',
      error: { code: 'DISK_FULL', detail: expect.not.stringContaining('/data') },
    });
  });

  it('tells nothing of a fault that is ours', () => {
    expect(endingOfError(new TypeError('x is undefined'))).toMatchObject({
      cause: 'fail',
      error: { code: 'HARNESS_FAILURE', detail: expect.not.stringContaining('undefined') },
    });
    expect(endingOfError(null)).toMatchObject({ error: { code: 'HARNESS_FAILURE' } });
  });
});
