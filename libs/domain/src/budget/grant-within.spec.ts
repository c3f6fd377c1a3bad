import { grantWithin, type SpendingLimit } from './grant-within';

const limit = (limitUsd: string, spentUsd = '0', reservedUsd = '0'): SpendingLimit => ({
  limitUsd,
  spentUsd,
  reservedUsd,
});
const bounds = { mostUsd: '0.5', leastUsd: '0.1' };

describe('what a request is granted', () => {
  it('is all that it may cost where that fits, without a limit too', () => {
    expect(grantWithin([], bounds, true)).toEqual({ outcome: 'granted', amountUsd: '0.5' });
    expect(grantWithin([limit('0.5'), limit('9', '8', '0.5')], bounds, false)).toEqual({
      outcome: 'granted',
      amountUsd: '0.5',
    });
  });

  it('is what the tightest limit leaves where that pays for a short answer, and nothing below', () => {
    const tight = limit('1', '0.8');
    expect(grantWithin([limit('1', '0.7'), tight], bounds, true)).toEqual({ outcome: 'granted', amountUsd: '0.2' });
    expect(grantWithin([limit('1', '0.9')], bounds, true)).toEqual({ outcome: 'granted', amountUsd: '0.1' });
    const over = limit('1', '0.9000000001');
    expect(grantWithin([tight, over], bounds, true)).toEqual({ outcome: 'exceeded', limit: over });
    expect(grantWithin([limit('0')], { mostUsd: '0', leastUsd: '0' }, true)).toEqual({
      outcome: 'granted',
      amountUsd: '0',
    });
  });

  it('waits for what others hold as long as it is patient, and not where that would not help', () => {
    const held = limit('1', '0.3', '0.4');
    expect(grantWithin([held], bounds, true)).toEqual({ outcome: 'wait' });
    expect(grantWithin([held], bounds, false)).toEqual({ outcome: 'granted', amountUsd: '0.3' });
    const full = limit('1', '0.3', '0.7');
    expect([grantWithin([full], bounds, true), grantWithin([full], bounds, false)]).toEqual([
      { outcome: 'wait' },
      { outcome: 'exceeded', limit: full },
    ]);
    const spent = limit('1', '0.95', '0.05');
    expect(grantWithin([held, spent], bounds, true)).toEqual({ outcome: 'exceeded', limit: spent });
  });

  it('never adds up to more than the limit, in any order of arrival', () => {
    let state = limit('1');
    for (const mostUsd of ['0.3', '0.5', '0.9', '0.05', '2', '0.01']) {
      const grant = grantWithin([state], { mostUsd, leastUsd: '0.01' }, false);
      if (grant.outcome === 'granted')
        state = {
          ...state,
          reservedUsd: String((Number(state.reservedUsd) * 100 + Number(grant.amountUsd) * 100) / 100),
        };
    }
    expect(state.reservedUsd).toBe('1');
  });
});
