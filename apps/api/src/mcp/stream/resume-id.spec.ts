import { resumeIdOf, resumePointOf, type ResumePoint } from './resume-id';

describe('where a stream continues', () => {
  it.each<ResumePoint>([
    { of: 'call', requestId: 7, after: 12 },
    { of: 'call', requestId: 'a.b "ü"', after: 0 },
    { of: 'session', sessionId: 'sess_01J00000000000000000000000', after: 3 },
  ])('is in its id: %j', (point) => expect(resumePointOf(resumeIdOf(point))).toEqual(point));

  it.each(['', 'x', 'c.!.1', 's.sess_1.-1', 's.sess_1', `c.${Buffer.from('{}').toString('base64url')}.1`, 'c.AAAA.1'])(
    'is nowhere for %s',
    (id) => expect(resumePointOf(id)).toBeNull(),
  );
});
