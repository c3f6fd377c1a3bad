import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param {NodeJS.ProcessEnv} env */
const doctor = (env) =>
  spawnSync(process.execPath, ['scripts/doctor.mjs'], {
    cwd: join(__dirname, '..'),
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
    encoding: 'utf8',
  });

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('npm run doctor', () => {
  /** @type {string} */
  let dataDir;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('says one line about each thing that a start needs', () => {
    const lines = doctor({ CHIRALITY_DATA_DIR: dataDir, PORT: '39871' }).stdout.trimEnd().split('\n');
    expect(lines.filter((line) => !/^[✓·✗] \S/.test(line))).toEqual([]);
    for (const subject of [
      'Node.js',
      'Dependencies',
      'user id',
      'Data in',
      'Postgres',
      'Redis',
      'git',
      'claude',
      'ANTHROPIC_API_KEY',
      'port 39871',
      'Chromium',
    ]) {
      expect(lines.some((line) => line.includes(subject))).toBe(true);
    }
  });

  it('ends with 1 and says what to do where a start would fail', () => {
    const { status, stdout } = doctor({ CHIRALITY_DATA_DIR: dataDir, CHIRALITY_CLAUDE_PATH: '/nowhere/claude' });
    expect(status).toBe(1);
    expect(stdout).toContain('✗ CHIRALITY_CLAUDE_PATH /nowhere/claude does not exist');
  });

  onLinux('says that a start needs bubblewrap where it is missing and cannot be fetched', () => {
    const { status, stdout } = doctor({ CHIRALITY_DATA_DIR: dataDir, PATH: dataDir, HOME: dataDir });
    expect(status).toBe(1);
    expect(stdout).toContain('✗ No bubblewrap: install it; npm start needs it unless CHIRALITY_SANDBOX=none');
    expect(
      doctor({ CHIRALITY_DATA_DIR: dataDir, PATH: dataDir, HOME: dataDir, CHIRALITY_SANDBOX: 'none' }).stdout,
    ).not.toContain('bubblewrap');
  });

  it('changes nothing, and prints no value of a secret', () => {
    const { stdout } = doctor({
      CHIRALITY_DATA_DIR: join(dataDir, 'new'),
      ANTHROPIC_API_KEY: 'sk-ant-secret',
      DATABASE_URL: 'postgresql://u:hunter2@db/x',
    });
    expect(stdout).not.toMatch(/sk-ant-secret|hunter2/);
    expect(stdout).toContain('✓ DATABASE_URL is set');
  });
});
