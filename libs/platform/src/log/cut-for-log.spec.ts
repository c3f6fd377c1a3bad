import { cutForLog, cutMalformedForLog } from './cut-for-log';

describe('cutForLog', () => {
  it('leaves up to 200 characters alone and counts what it cut', () => {
    expect(cutForLog('a'.repeat(200))).toBe('a'.repeat(200));
    expect(cutForLog('a'.repeat(250))).toBe(`${'a'.repeat(200)}… (50 more characters)`);
  });

  it('never cuts a character in half', () => {
    const cut = cutForLog(`${'a'.repeat(199)}😀😀`);
    expect(cut).toBe(`${'a'.repeat(199)}… (4 more characters)`);
    expect(cut.isWellFormed()).toBe(true);
  });
});

describe('cutMalformedForLog', () => {
  it('keeps 500 characters', () => {
    expect(cutMalformedForLog('b'.repeat(501))).toBe(`${'b'.repeat(500)}… (1 more characters)`);
  });
});
