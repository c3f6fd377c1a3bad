import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('the checks of the stream mapper', () => {
  it('notice damage to any of its tables, conditions and calls', async () => {
    const { stdout } = await run(process.execPath, [join(__dirname, 'mutate-mapper.mjs')]);
    const mutants = Number(/^(\d+) mutants/m.exec(stdout)?.[1]);
    expect(mutants).toBeGreaterThan(500);
    expect(stdout).toMatch(/ 0 of them without a reason/);
  }, 240_000);

  it('expect what the recordings amount to by their own rules', async () => {
    await run(process.execPath, [join(__dirname, 'expected-rows.mjs'), '--check']);
  });
});
