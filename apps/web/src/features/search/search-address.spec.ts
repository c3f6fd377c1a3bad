import { hitLink, readSearchAddress, searchFilterOf } from './search-address';

describe('the address of a search', () => {
  it('holds the words and the filters, and nothing that cannot be one', () => {
    const address = { q: 'a b', project: 'p', person: 'u', persona: 'k', status: 'any', model: 'm' };
    expect(readSearchAddress({ ...address, from: '2026-01-05', to: 'tomorrow', other: 1 })).toEqual({
      ...address,
      from: '2026-01-05',
      to: undefined,
    });
    expect(readSearchAddress({ q: 42, status: 'gone', project: '' })).toEqual({ q: '42' });
  });

  it('asks for whole days', () => {
    const filter = searchFilterOf({ q: ' a ', from: '2026-01-05', to: '2026-01-05' });
    expect(filter).toEqual({
      q: 'a',
      from: new Date('2026-01-05T00:00:00').toISOString(),
      to: new Date('2026-01-06T00:00:00').toISOString(),
    });
  });

  it('leads to the place of a hit', () => {
    const hit = { session: 'sess_1', turn: 'turn_1', eventId: 7 } as Parameters<typeof hitLink>[0];
    expect(hitLink(hit)).toMatchObject({ params: { sessionId: 'sess_1' }, hash: 'turn_1.7' });
    expect(hitLink({ ...hit, turn: null, eventId: null })).not.toHaveProperty('hash');
  });
});
