import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, startChild } from './child.mjs';
import { say } from '../text/progress.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * @typedef {import('./child.mjs').Child} Child
 * @typedef {object} ServiceDescription
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} env
 * @property {NodeJS.Signals} stopSignal asks the program to end
 * @property {string} deathSignal what the program gets when this process dies, without its SIG
 * @property {number} stopMs how long the program may take to end
 * @property {number} readyMs how long the program may take to become ready
 * @property {() => boolean | Promise<boolean>} isReady
 * @property {() => boolean | Promise<boolean>} [isBack] after a restart, whether it serves again,
 * where less than that is asked of it to be kept
 * @property {() => void | Promise<void>} [beforeStart] what has to be done before each start
 * @property {import('./child.mjs').LineListener} [onLine]
 * @typedef {ServiceDescription & { url: string }} DataService
 */

const BACK_OFF_MS = [200, 500, 1000, 2000];
const MAX_BACK_OFF_MS = 5000;
/** A process that ran this long before it ended starts again without waiting. */
const STEADY_MS = 60_000;
/** How often a service may fail before it was ready for the first time. */
const FIRST_TRIES = 3;
/** What an application ends with when its settings are wrong, which trying again would not fix (EX_CONFIG). */
const BAD_CONFIGURATION = 78;

/**
 * Keeps one program running until it is stopped: started again, with a growing pause, whenever it exits unexpectedly.

 */
export class Service {
  /** @type {ServiceDescription} */
  #description;
  /** @type {{ log: import('./child.mjs').LineListener, cwd: string }} */
  #options;
  /** @type {Child | null} */
  #child = null;
  #stopping = false;
  #wasReady = false;
  #failures = 0;
  #endedAt = 0;
  /** @type {Promise<void>} */
  #running = Promise.resolve();
  #wake = new AbortController();

  /**
   * @param {ServiceDescription} description
   * @param {{ log?: import('./child.mjs').LineListener, cwd?: string }} [options]
   */
  constructor(description, { log = () => undefined, cwd = '/' } = {}) {
    this.#description = description;
    this.#options = { log, cwd };
  }

  get name() {
    return this.#description.name;
  }

  /**
   * Resolves once the program is ready for the first time; rejects with a Sentence when it will not be.
   * @returns {Promise<void>}
   */
  start() {
    return new Promise((resolve, reject) => {
      this.#running = this.#keepRunning(resolve, reject);
    });
  }

  /** Ends the program and resolves once it is gone. */
  async stop() {
    this.#stopping = true;
    this.#wake.abort();
    if (this.#child) await endChild(this.#child, this.#description.stopSignal, this.#description.stopMs);
    await this.#running;
  }

  /** Ends the program politely; it is then started again. */
  async restart() {
    this.#failures = 0;
    if (this.#child) await endChild(this.#child, this.#description.stopSignal, this.#description.stopMs);
  }

  killNow() {
    this.#stopping = true;
    this.#wake.abort();
    this.#child?.kill('SIGKILL');
  }

  /**
   * @param {() => void} resolve
   * @param {(error: unknown) => void} reject
   */
  async #keepRunning(resolve, reject) {
    while (!this.#stopping) {
      const startedAt = performance.now();
      try {
        await this.#description.beforeStart?.();
      } catch (error) {
        reject(error);
        return;
      }
      const child = this.#launch();
      void this.#watchReadiness(child, resolve);
      const exit = await child.exited;
      if (this.#stopping) return;
      if (performance.now() - startedAt > STEADY_MS) this.#failures = 0;
      this.#failures += 1;
      this.#endedAt = performance.now();
      const words = lastWords(child);
      if (!this.#wasReady && (this.#failures >= FIRST_TRIES || exit.code === BAD_CONFIGURATION)) {
        reject(new Sentence(`${this.name} did not start (${endOf(exit)}).${words}`));
        return;
      }
      const pauseMs = BACK_OFF_MS[this.#failures - 1] ?? MAX_BACK_OFF_MS;
      if (this.#wasReady) say(`  ! ${this.name} stopped unexpectedly (${endOf(exit)}); starting it again.${words}`);
      await sleep(pauseMs, undefined, { signal: this.#wake.signal }).catch(() => undefined);
    }
  }

  /** @param {Child} child */
  async #sayWhenBack(child) {
    while (this.#description.isBack && !(await this.#description.isBack())) {
      if (child.hasExited() || this.#stopping) return;
      await sleep(50);
    }
    const seconds = Math.max(1, Math.round((performance.now() - this.#endedAt) / 1000));
    say(`  ✓ ${this.name} runs again, after ${seconds} s`);
  }

  #launch() {
    const { command, args, env, deathSignal, onLine } = this.#description;
    const child = startChild(command, args, {
      env,
      cwd: this.#options.cwd,
      deathSignal,
      onLine: (line, source) => {
        this.#options.log(line, source);
        onLine?.(line, source);
      },
    });
    this.#child = child;
    return child;
  }

  /**
   * @param {Child} child
   * @param {() => void} resolve
   */
  async #watchReadiness(child, resolve) {
    const { isReady, readyMs } = this.#description;
    const deadline = performance.now() + readyMs;
    while (!child.hasExited() && !this.#stopping) {
      if (await isReady()) {
        if (this.#wasReady) await this.#sayWhenBack(child);
        this.#wasReady = true;
        resolve();
        return;
      }
      if (performance.now() > deadline) {
        say(`  ! ${this.name} was not ready after ${readyMs / 1000} s; ending it.`);
        await endChild(child, 'SIGKILL', 1000);
        return;
      }
      await sleep(50);
    }
  }
}

/** @param {import('./child.mjs').Exit} exit */
function endOf({ code, signal }) {
  return signal ? `killed by ${signal}` : `exit code ${code}`;
}

/** @param {Child} child */
function lastWords(child) {
  const isFrame = (/** @type {string} */ line) => /^\s+at /.test(line);
  const lines = child
    .lastLines()
    .filter((line) => !isFrame(line))
    .map(readable)
    .filter((line) => line.trim() !== '')
    .slice(-10);
  return lines.length === 0 ? '' : ` Its last words:\n${lines.map((line) => `    ${line}`).join('\n')}`;
}

/** Of a log these say how it went, not why it ended. */
const ORDINARY_LEVELS = new Set(['trace', 'debug', 'info']);

/**
 * A log line as its level, message and error, nothing of an ordinary one; other lines as they are.
 * @param {string} line
 */
function readable(line) {
  try {
    const { level, msg, err } = JSON.parse(line);
    if (ORDINARY_LEVELS.has(level)) return '';
    return [level, msg, err?.message]
      .filter((part) => typeof part === 'string')
      .join(': ')
      .slice(0, 500);
  } catch {
    return line.slice(0, 500);
  }
}
