import { spawn, spawnSync } from 'node:child_process';

/**
 * @typedef {(line: string, source: 'stdout' | 'stderr') => void} LineListener
 * @typedef {{ code: number | null, signal: string | null }} Exit both null where the program could not be started
 * @typedef {object} Child
 * @property {number | undefined} pid undefined where the program could not be started
 * @property {Promise<Exit>} exited
 * @property {() => boolean} hasExited
 * @property {(signal: NodeJS.Signals) => void} kill
 * @property {() => string[]} lastLines
 */

/** Descriptor 3 closes when this process ends in any way; a shell waits for that and ends the program. */
const GUARD = '( read -r _ <&3; kill -"$0" $$ ) </dev/null >/dev/null 2>&1 & exec 3<&-; exec "$@"';

/** The kernel watches from the moment on in which it is asked: who started this may have died before. */
const STILL_WANTED = '[ "$PPID" = "$0" ] || exit 1; exec "$@"';

/** @type {boolean | undefined} */
let kernelGuards;
/** Linux ends a child for us when this process dies (PR_SET_PDEATHSIG); elsewhere a shell watches a pipe. */
function hasKernelGuard() {
  kernelGuards ??= process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;
  return kernelGuards;
}

/**
 * Starts a program in a separate session (a Ctrl-C at the terminal reaches only this process) that gets `deathSignal`
 * when this process dies, even by SIGKILL.

 * @param {string} command
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd: string, deathSignal: string, onLine?: LineListener | undefined }} options
 * `deathSignal` without its SIG, as shells know it
 * @returns {Child}
 */
export function startChild(command, args, { env, cwd, deathSignal, onLine }) {
  const kernel = hasKernelGuard();
  const words = kernel
    ? ['--pdeathsig', deathSignal, '/bin/sh', '-c', STILL_WANTED, String(process.pid), command, ...args]
    : ['-c', GUARD, deathSignal, command, ...args];
  const child = spawn(kernel ? 'setpriv' : '/bin/sh', words, {
    env,
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', kernel ? 'ignore' : 'pipe'],
  });
  /** @type {string[]} */
  const lines = [];
  /** @type {LineListener} */
  const take = (line, source) => {
    lines.push(line);
    if (lines.length > 30) lines.shift();
    onLine?.(line, source);
  };
  splitLines(child.stdout, (line) => take(line, 'stdout'));
  splitLines(child.stderr, (line) => take(line, 'stderr'));
  child.stdio[3]?.on('error', () => undefined);
  /** @type {Exit | null} */
  let exit = null;
  /** @type {Promise<Exit>} */
  const exited = new Promise((resolve) => {
    const end = (/** @type {number | null} */ code, /** @type {string | null} */ signal) => {
      exit = { code, signal };
      child.stdio[3]?.destroy();
      resolve(exit);
    };
    child.once('exit', end);
    child.once('error', (error) => {
      take(error.message, 'stderr');
      end(null, null);
    });
  });
  return {
    pid: child.pid,
    exited,
    hasExited: () => exit !== null,
    lastLines: () => [...lines],
    kill: (signal) => {
      if (exit === null) child.kill(signal);
    },
  };
}

/**
 * Sends the signal, and SIGKILL when the child has not ended within `graceMs`; resolves once it has.
 * @param {Child} child
 * @param {NodeJS.Signals} signal
 * @param {number} graceMs
 */
export async function endChild(child, signal, graceMs) {
  if (child.hasExited()) return;
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await child.exited;
  clearTimeout(timer);
}

/**
 * @param {import('node:stream').Readable | null} stream
 * @param {(line: string) => void} onLine
 */
function splitLines(stream, onLine) {
  let open = '';
  stream?.setEncoding('utf8').on('data', (chunk) => {
    const parts = (open + chunk).split('\n');
    open = (parts.pop() ?? '').slice(-65_536);
    for (const line of parts) onLine(line);
  });
  stream?.on('end', () => {
    if (open !== '') onLine(open);
  });
}
