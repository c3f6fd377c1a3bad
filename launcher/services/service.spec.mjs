import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Service } from './service.mjs';

describe('Service', () => {
  /** @type {string} */
  let directory;
  /** @type {string} */
  let counter;
  /** @type {string[]} */
  const printed = [];
  /** @type {Service[]} */
  const running = [];
  /**
   * @param {import('./service.mjs').ServiceDescription} description
   * @param {{ cwd?: string }} [options]
   */
  const serviceOf = (description, options) => {
    const service = new Service(description, options);
    running.push(service);
    return service;
  };
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chi-'));
    counter = join(directory, 'starts');
    writeFileSync(counter, '');
    printed.length = 0;
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
    jest.restoreAllMocks();
    rmSync(directory, { recursive: true });
  });

  const starts = () => readFileSync(counter, 'utf8').length;
  /**
   * @param {string} script
   * @param {Partial<import('./service.mjs').ServiceDescription>} [more]
   * @returns {import('./service.mjs').ServiceDescription}
   */
  const describeProgram = (script, more = {}) => ({
    name: 'program',
    command: '/bin/sh',
    args: ['-c', `printf x >> '${counter}'; ${script}`],
    env: process.env,
    stopSignal: 'SIGTERM',
    deathSignal: 'KILL',
    stopMs: 2000,
    readyMs: 10_000,
    isReady: () => starts() > 0,
    ...more,
  });
  /** @param {() => boolean} condition */
  const until = async (condition) => {
    for (let tries = 0; tries < 1000 && !condition(); tries += 1) await sleep(10);
    expect(condition()).toBe(true);
  };

  it('starts a program again that stopped unexpectedly, and says so with its last words', async () => {
    const script =
      '[ $(wc -c < starts) -ge 2 ] && exec sleep 600; until [ -e fail ]; do sleep 0.01; done; echo "{\\"level\\":\\"info\\",\\"msg\\":\\"request.answered\\"}"; echo "{\\"level\\":\\"fatal\\",\\"msg\\":\\"out of luck\\"}"; exit 3';
    const isReady = () => starts() > (existsSync(join(directory, 'fail')) ? 1 : 0);
    const service = serviceOf(describeProgram(script, { isReady }), { cwd: directory });
    await service.start();
    writeFileSync(join(directory, 'fail'), '');
    await until(() => printed.some((text) => text.includes('runs again')));
    expect(printed.join('')).toMatch(
      /program stopped unexpectedly \(exit code 3\); starting it again\. Its last words:\n {4}fatal: out of luck/,
    );
    expect(printed.join('')).not.toContain('request.answered');
    expect(printed.join('')).toMatch(/✓ program runs again, after \d+ s\n/);
    expect(starts()).toBe(2);
  });

  it('gives up with one sentence when the program never becomes ready', async () => {
    const service = serviceOf(describeProgram('echo "HOST is wrong" >&2; exit 1', { isReady: () => false }));
    await expect(service.start()).rejects.toThrow(
      /^program did not start \(exit code 1\)\. Its last words:\n {4}HOST is wrong$/,
    );
    expect(starts()).toBe(3);
  });

  it('ends a program that hangs before it is ready, and tries again', async () => {
    const service = serviceOf(describeProgram('exec sleep 600', { readyMs: 100, isReady: () => starts() >= 2 }));
    await service.start();
    expect(starts()).toBe(2);
    await service.stop();
  });

  it('stops while it waits to start again', async () => {
    const service = serviceOf(describeProgram('exit 1', { isReady: () => false }));
    const start = service.start();
    start.catch(() => undefined);
    await until(() => starts() >= 1);
    await service.stop();
    const before = starts();
    await sleep(0);
    expect(starts()).toBe(before);
  });

  it('is restarted on request without complaint', async () => {
    const service = serviceOf(describeProgram('exec sleep 600'));
    await service.start();
    await service.restart();
    await until(() => starts() === 2);
    await service.stop();
  });
});
