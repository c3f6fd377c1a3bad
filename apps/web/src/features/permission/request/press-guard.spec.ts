import { PressGuard } from './press-guard';

describe('a press on a card that asks', () => {
  const appeared = 1_000;
  const pressed = (isInside: boolean, downAtMs: number, upAtMs: number) => {
    const guard = new PressGuard(appeared);
    guard.began(isInside, downAtMs);
    return guard.mayAnswer(upAtMs);
  };

  it.each([
    ['on the card, once it has been read', true, 2_000, 2_080, true],
    ['on the card, as soon as it may', true, 1_600, 1_601, true],
    ['the second of a double press, 80 ms after the card took the place of another', true, 1_080, 1_100, false],
    ['begun too early on this card and held until it may', true, 1_500, 1_900, false],
    ['begun on another card, or anywhere else, and ended on this one', false, 3_000, 3_500, false],
    ['begun before the card was there', false, 900, 1_700, false],
  ])('%s', (_, isInside, down, up, counts) => {
    expect(pressed(isInside, down, up)).toBe(counts);
  });

  it('counts without a pointer or key, as assistive technology presses, once the card has been there', () => {
    const guard = new PressGuard(appeared);
    expect([guard.mayAnswer(1_599), guard.mayAnswer(1_600)]).toEqual([false, true]);
  });

  it('does so after presses elsewhere that have ended, too', () => {
    const guard = new PressGuard(appeared);
    guard.began(false, 2_000);
    guard.ended(2_100);
    expect([guard.mayAnswer(2_150), guard.mayAnswer(2_700)]).toEqual([false, true]);
  });

  it('forgets an earlier press when a new one begins on the card', () => {
    const guard = new PressGuard(appeared);
    guard.began(false, 1_100);
    guard.began(true, 1_700);
    expect(guard.mayAnswer(1_710)).toBe(true);
  });
});
