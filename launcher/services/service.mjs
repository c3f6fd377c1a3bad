import { setTimeout as sleep } from 'node:timers/promises';
import { endChild, startChild } from './child.mjs';
import { say } from '../text/progress.mjs';
import { Sentence } from '../text/sentence.mjs';

const BACK_OFF_MS = [200, 500, 1000, 2000, 5000];
/** A process that ran this long before it ended starts again without waiting. */
const STEADY_MS = 60_000;
/** How often a service may fail before it was ready for the first time. */
const FIRST_TRIES = 3;
/** What an application ends with when its settings are wrong, which trying again would not fix (EX_CONFIG). */
const BAD_CONFIGURATION = 78;

/**
 * Keeps one program running until it is stopped: started again, with a growing pause, whenever it exits unexpectedly.
 * A description has: name, command, args, env, stopSignal, deathSignal, stopMs, isReady(child), readyMs and,
 * where something has to be done before each start, beforeStart().
 */
export class Service {
  #description;
  #options;
  #child = null;
  #stopping = false;
  #wasReady = false;
  #failures = 0;
  #running = Promise.resolve();
  #wake = new AbortController();

  constructor(description, { log = () => undefined, cwd = '/' } = {}) {
    this.#description = description;
    this.#options = { log, cwd };
  }

  get name() {
    return this.#description.name;
  }

  /** Resolves once the program is ready for the first time; rejects with a Sentence when it will not be. */
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
      const words = lastWords(child);
      if (!this.#wasReady && (this.#failures >= FIRST_TRIES || exit.code === BAD_CONFIGURATION)) {
        reject(new Sentence(`${this.name} did not start (${endOf(exit)}).${words}`));
        return;
      }
      const pauseMs = BACK_OFF_MS[Math.min(this.#failures, BACK_OFF_MS.length) - 1];
      if (this.#wasReady)
        say(
          `  ! ${this.name} stopped unexpectedly (${endOf(exit)}); starting it again in ${pauseMs / 1000} s.${words}`,
        );
      await sleep(pauseMs, undefined, { signal: this.#wake.signal }).catch(() => undefined);
    }
  }

  #launch() {
    const { command, args, env, deathSignal, onLine } = this.#description;
    this.#child = startChild(command, args, {
      env,
      cwd: this.#options.cwd,
      deathSignal,
      onLine: (line, source) => {
        this.#options.log(line, source);
        onLine?.(line, source);
      },
    });
    return this.#child;
  }

  async #watchReadiness(child, resolve) {
    const { isReady, readyMs } = this.#description;
    const deadline = performance.now() + readyMs;
    while (!child.hasExited() && !this.#stopping) {
      if (await isReady(child)) {
        if (this.#wasReady) say(`  ✓ ${this.name} runs again`);
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

function endOf({ code, signal }) {
  return signal ? `killed by ${signal}` : `exit code ${code}`;
}

function lastWords(child) {
  const isFrame = (line) => /^\s+at /.test(line);
  const lines = child
    .lastLines()
    .filter((line) => !isFrame(line))
    .slice(-10)
    .map(readable)
    .filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : ` Its last words:\n${lines.map((line) => `    ${line}`).join('\n')}`;
}

/** A log line as its level, message and error; other lines as they are. */
function readable(line) {
  try {
    const { level, msg, err } = JSON.parse(line);
    return [level, msg, err?.message]
      .filter((part) => typeof part === 'string')
      .join(': ')
      .slice(0, 500);
  } catch {
    return line.slice(0, 500);
  }
}
