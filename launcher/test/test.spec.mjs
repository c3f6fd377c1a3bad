import { parse, reportMissing } from './test.mjs';

describe('the words after npm test', () => {
  it('name one suite, a complete run, and what Jest gets', () => {
    expect(parse([])).toEqual({ only: null, isComplete: false, rest: [] });
    expect(parse(['--complete'])).toEqual({ only: null, isComplete: true, rest: [] });
    expect(parse(['libs/domain', '--only', 'unit', '-t', 'x'])).toEqual({
      only: 'unit',
      isComplete: false,
      rest: ['libs/domain', '-t', 'x'],
    });
    expect(() => parse(['--only', '--complete'])).toThrow('--only takes unit, medium, e2e.');
  });
});

describe('a machine without a sandbox', () => {
  const MISSING = { sandbox: 'it needs Linux', browser: null };
  /** @type {jest.SpyInstance<boolean>} */
  let printed;
  beforeEach(() => {
    printed = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  });
  afterEach(() => printed.mockRestore());

  it('skips tests, and fails a complete run', () => {
    reportMissing(MISSING, { isComplete: false });
    expect(printed.mock.calls.flat()).toEqual([
      '  ! No sandbox here: it needs Linux. Tests that need it are skipped.\n',
    ]);
    expect(() => reportMissing(MISSING, { isComplete: true })).toThrow(
      'No sandbox here: it needs Linux. With --complete no test may be skipped for that.',
    );
    reportMissing({ sandbox: null, browser: null }, { isComplete: true });
  });
});
