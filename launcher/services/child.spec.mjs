import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, startChild } from './child.mjs';
import { startTimeOf } from '../host/lock.mjs';

const HERE = dirname(__filename);
const plain = { env: process.env, cwd: '/', deathSignal: 'KILL' };

/**
 * @param {number} pid
 * @param {string | null} startTime
 */
async function untilGone(pid, startTime) {
  for (let tries = 0; tries < 500 && startTimeOf(pid) === startTime; tries += 1) await sleep(10);
  return startTimeOf(pid) !== startTime;
}

describe('startChild', () => {
  it('reports lines of both streams, the last one without its end too, and the exit', async () => {
    /** @type {string[]} */
    const lines = [];
    const child = startChild('/bin/sh', ['-c', 'echo one; echo two >&2; printf three; exit 7'], {
      ...plain,
      onLine: (line, source) => lines.push(`${source}:${line}`),
    });
    await expect(child.exited).resolves.toEqual({ code: 7, signal: null });
    for (let tries = 0; tries < 100 && lines.length < 3; tries += 1) await sleep(10);
    expect(lines.sort()).toEqual(['stderr:two', 'stdout:one', 'stdout:three']);
    expect(child.hasExited()).toBe(true);
  });

  it('reports a program that does not exist as an exit', async () => {
    const child = startChild('/nowhere/program', [], plain);
    const { code, signal } = await child.exited;
    expect(code === 0 && signal === null).toBe(false);
  });

  it('is ended politely where it listens, and by force where it does not', async () => {
    const polite = startChild('/bin/sh', ['-c', 'trap "exit 0" TERM; echo ready; while :; do sleep 0.01; done'], plain);
    const deaf = startChild('/bin/sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.01; done'], plain);
    for (const child of [polite, deaf]) while (child.lastLines().length === 0) await sleep(5);
    await endChild(polite, 'SIGTERM', 5000);
    await endChild(deaf, 'SIGTERM', 20);
    await expect(polite.exited).resolves.toEqual({ code: 0, signal: null });
    await expect(deaf.exited).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });

  it.each([
    ['kernel', {}],
    // Without setpriv on PATH the shell's pipe is what watches.
    ['pipe', { PATH: '/nowhere' }],
  ])('dies with the process that started it, even when that is killed: %s', async (_, env) => {
    const script = `
      import { startChild } from ${JSON.stringify(join(HERE, 'child.mjs'))};
      const child = startChild('/bin/sleep', ['600'], { env: process.env, cwd: '/', deathSignal: 'KILL' });
      process.stdout.write(child.pid + '\\n');
      setInterval(() => undefined, 1000);
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(line.toString());
    const startTime = startTimeOf(pid);
    expect(startTime).not.toBeNull();
    parent.kill('SIGKILL');
    await expect(untilGone(pid, startTime)).resolves.toBe(true);
  });
});
