import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './testing/started.mjs';

describe('npm start in a checkout where nothing is installed', () => {
  /** @type {string} */
  let checkout;
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'chi-'));
    for (const part of ['package.json', 'launcher', 'scripts'])
      cpSync(join(__dirname, '..', part), join(checkout, part), { recursive: true });
  });
  afterEach(() => rmSync(checkout, { recursive: true }));

  it('refuses a data directory that cannot be used before it installs anything', async () => {
    writeFileSync(join(checkout, 'a-file'), '');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], {
      cwd: checkout,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        PORT: String(await freePort()),
        CHIRALITY_DATA_DIR: 'a-file/data',
        CHIRALITY_SANDBOX: 'none',
        REDIS_URL: 'redis://127.0.0.1:1',
      },
    });
    expect([status, stderr]).toEqual([
      1,
      `\nThe data directory ${join(checkout, 'a-file/data')} cannot be made (ENOTDIR): name another in CHIRALITY_DATA_DIR.\n`,
    ]);
    expect(stdout).not.toContain('Dependencies installed');
  });
});
