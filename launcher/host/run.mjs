import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @typedef {{ code: number | null, timedOut: boolean, stdout: string, output: string }} RunResult */

const KEPT_OUTPUT_CHARS = 20_000;

/**
 * Runs a program to its end; resolves with its exit code (null when it was killed or did not start) and the last of
 * its output, of both streams and of `stdout` alone; never rejects. The program has its own process group, which
 * is killed whole at the time limit.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { timeoutMs?: number, show?: boolean, input?: string | null }} [options]
 * `show` also prints the output
 * @returns {Promise<RunResult>}
 */
export function run(command, args, { timeoutMs = 600_000, show = false, input = null, ...options } = {}) {
  return new Promise((resolve) => {
    let output = '';
    let stdout = '';
    const child = spawn(command, args, {
      stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
      ...options,
    });
    const killGroup = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has exited meanwhile.
      }
    };
    const onInterrupt = () => {
      killGroup();
      process.exit(130);
    };
    process.on('SIGINT', onInterrupt).on('SIGTERM', onInterrupt);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, timeoutMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        output = (output + chunk).slice(-KEPT_OUTPUT_CHARS);
        if (stream === child.stdout) stdout = (stdout + chunk).slice(-KEPT_OUTPUT_CHARS);
        if (show) process.stdout.write(chunk);
      });
    }
    if (input !== null) child.stdin?.on('error', () => undefined).end(input);
    const end = (/** @type {number | null} */ code, /** @type {Error | undefined} */ error = undefined) => {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt);
      resolve({ code, timedOut, stdout, output: error ? `${output}${error.message}` : output });
    };
    child.on('error', (error) => end(null, error));
    child.on('close', (code) => end(code));
  });
}

/**
 * The path of a program on PATH, or null.
 * @param {string} name
 */
export function which(name, path = process.env.PATH ?? '') {
  for (const directory of path.split(delimiter)) {
    const candidate = join(directory, name);
    try {
      accessSync(candidate, constants.X_OK);
      if (directory !== '' && statSync(candidate).isFile()) return candidate;
    } catch {
      // Not here.
    }
  }
  return null;
}

/**
 * The last lines of a program's output, indented, for a sentence that ends with a colon.
 * @param {string} output
 */
export function tail(output, lines = 15) {
  return output
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => `    ${line}`)
    .join('\n');
}
