import { ProblemError } from '@chirality/platform';
import { problemDocument } from './problems';

describe('a problem as it is answered', () => {
  it('names no file of this machine where something broke here', () => {
    const broken = new ProblemError(
      'SANDBOX_UNAVAILABLE',
      "bwrap: Can't find source path /var/lib/chirality/data/sessions/sess_1/workspace: No such file",
    );
    expect(problemDocument(broken, 'req_1')).toMatchObject({
      status: 503,
      detail: "bwrap: Can't find source path «path»: No such file",
    });
  });

  it('repeats a path that was sent', () => {
    const sent = new ProblemError(
      'VALIDATION_FAILED',
      '/srv/repositories/a is not below a directory that may be used.',
    );
    expect(problemDocument(sent, 'req_1')).toMatchObject({ status: 400, detail: sent.detail });
  });
});
