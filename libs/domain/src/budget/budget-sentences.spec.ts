import { usedUpSentence, wouldExceedSentence } from './budget-sentences';

const now = new Date('2026-11-30T18:00:00Z');

describe('what a budget that is used up says', () => {
  it('names the moment of its reset with day and time zone, and how long that is', () => {
    const reset = { at: new Date('2026-11-30T23:00:00Z'), timezone: 'Europe/Berlin' };
    expect(usedUpSentence({ scope: 'project', period: 'day' }, reset, now)).toBe(
      'What this project may spend today is used up until 00:00 Tue (Europe/Berlin), in 5 h. An owner or admin can raise the budget before.',
    );
  });

  it('names the date of one that is far away, and minutes of one that is near', () => {
    expect(
      usedUpSentence(
        { scope: 'team', period: 'month' },
        { at: new Date('2026-12-31T15:00:00Z'), timezone: 'Asia/Tokyo' },
        now,
      ),
    ).toContain('until 00:00 Fri 1 Jan (Asia/Tokyo), in 31 days.');
    expect(
      wouldExceedSentence(
        { scope: 'team', period: 'week' },
        { at: new Date('2026-11-30T18:00:30Z'), timezone: 'UTC' },
        now,
      ),
    ).toContain('until 18:00 Mon (UTC), in 1 min.');
  });

  it('says of one without a period that it does not reset, and who can raise it', () => {
    expect(usedUpSentence({ scope: 'session', period: 'total' }, null, now)).toBe(
      'What this session may spend is used up, and it does not reset. An owner or admin can raise the budget.',
    );
  });
});
