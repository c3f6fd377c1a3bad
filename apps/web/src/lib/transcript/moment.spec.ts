import { momentHash, readMoment } from './moment';

describe('a place in a conversation', () => {
  it('is read from an address as it was written there', () => {
    for (const moment of [
      { turnId: 'turn_01ABC', eventId: 12 },
      { turnId: 'turn_01ABC', eventId: null },
    ])
      expect([readMoment(momentHash(moment)), readMoment(`#${momentHash(moment)}`)]).toEqual([moment, moment]);
  });

  it('is nothing else that an address may hold', () => {
    expect(['', '#', '#permissions', '#turn_', '#turn_a.x', '#turn_a/b'].map(readMoment)).toEqual(Array(6).fill(null));
  });
});
