import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeStalePidFile } from './postgres.mjs';

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('the pid file that a killed Postgres left', () => {
  /** @type {string} */
  let data;
  /** @type {string} */
  let file;
  beforeEach(() => {
    data = realpathSync(mkdtempSync(join(tmpdir(), 'chi-')));
    file = join(data, 'postmaster.pid');
    writeFileSync(file, `${process.pid}\n`);
  });
  afterEach(() => rmSync(data, { recursive: true }));

  it('is removed where another process has the pid now, which Postgres would take for its own', () => {
    removeStalePidFile(data, process.pid);
    expect(existsSync(file)).toBe(false);
  });

  it('is kept while a process of the server is left', async () => {
    const backend = spawn('sleep', ['600'], { cwd: data });
    await once(backend, 'spawn');
    removeStalePidFile(data, process.pid);
    expect(existsSync(file)).toBe(true);
    backend.kill('SIGKILL');
    await once(backend, 'exit');
    removeStalePidFile(data, process.pid);
    expect(existsSync(file)).toBe(false);
  });

  it('is kept while one is left in a directory that is reached by a link', async () => {
    const link = `${data}-link`;
    symlinkSync(data, link);
    const backend = spawn('sleep', ['600'], { cwd: data });
    await once(backend, 'spawn');
    removeStalePidFile(link, process.pid);
    backend.kill('SIGKILL');
    await once(backend, 'exit');
    rmSync(link);
    expect(existsSync(file)).toBe(true);
  });

  it('is left to Postgres where no process has the pid', () => {
    removeStalePidFile(data, 2 ** 30);
    expect(existsSync(file)).toBe(true);
  });
});
