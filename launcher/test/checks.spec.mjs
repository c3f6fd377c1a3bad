import { runChecks } from './checks.mjs';

/** @type {(code: string) => [program: string, words: string[]]} */
const node = (code) => [process.execPath, ['-e', code]];

describe('the checks', () => {
  /** @type {jest.SpyInstance<boolean>} */
  let printed;
  beforeEach(() => {
    printed = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  });
  afterEach(() => printed.mockRestore());

  it('count each as one, say what is wrong, and leave out what follows a failure in one', async () => {
    const sum = await runChecks([
      { name: 'Good', commands: [node(''), node('')] },
      { name: 'Bad', commands: [node('console.log("this is wrong"); process.exit(1)'), node('console.log("after")')] },
      { name: 'Last', commands: [node('')] },
    ]);
    expect(sum).toEqual({ passed: 2, failed: 1, skipped: 0, failures: ['Bad'] });
    const said = printed.mock.calls.flat().join('');
    expect(said).toContain('this is wrong');
    expect(said).not.toContain('after');
  });
});
