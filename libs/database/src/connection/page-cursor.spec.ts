import { decodeCursor, encodeCursor } from './page-cursor';

const cursor = (text: string) => Buffer.from(text).toString('base64url');

describe('the cursor of a list', () => {
  it('comes back as it went', () => {
    expect(decodeCursor(encodeCursor('2026-11-28T06:00:00.123Z', 'sess_01'))).toEqual({
      at: new Date('2026-11-28T06:00:00.123Z'),
      id: 'sess_01',
    });
  });

  it.each([
    '',
    '2026 x',
    '12 x',
    '+012345-01-01T00:00:00.000Z x',
    '-271821-04-20T00:00:00.000Z x',
    '2026-13-01T00:00:00.000Z x',
    '2026-11-28T06:00:00Z x',
    '2026-11-28T06:00:00.123Z',
    '2026-11-28T06:00:00.123Z a b',
    'x y',
  ])('is none when it says %j, which no list answered', (text) => {
    expect(decodeCursor(cursor(text))).toBeNull();
  });
});
