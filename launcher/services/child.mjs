import { spawn, spawnSync } from 'node:child_process';

/** Descriptor 3 closes when this process ends in any way; a shell waits for that and ends the program. */
const GUARD = '( read -r _ <&3; kill -"$0" $$ ) </dev/null >/dev/null 2>&1 & exec 3<&-; exec "$@"';

let kernelGuards;
/** Linux ends a child for us when this process dies (PR_SET_PDEATHSIG); elsewhere a shell watches a pipe. */
function hasKernelGuard() {
  kernelGuards ??= process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;
  return kernelGuards;
}

/**
 * Starts a program in a separate session (a Ctrl-C at the terminal reaches only this process) that gets `deathSignal`
 * when this process dies, even by SIGKILL.
 * @returns {{ pid: number, exited: Promise<{code: number|null, signal: string|null}>, hasExited: () => boolean, kill: (signal: string) => void, lastLines: () => string[] }}
 */
export function startChild(command, args, { env, cwd, deathSignal, onLine = () => undefined }) {
  const kernel = hasKernelGuard();
  const [program, words] = kernel
    ? ['setpriv', ['--pdeathsig', deathSignal, command, ...args]]
    : ['/bin/sh', ['-c', GUARD, deathSignal, command, ...args]];
  const child = spawn(program, words, {
    env,
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', kernel ? 'ignore' : 'pipe'],
  });
  const lines = [];
  const take = (line, source) => {
    lines.push(line);
    if (lines.length > 30) lines.shift();
    onLine(line, source);
  };
  splitLines(child.stdout, (line) => take(line, 'stdout'));
  splitLines(child.stderr, (line) => take(line, 'stderr'));
  child.stdio[3]?.on('error', () => undefined);
  let exit = null;
  const exited = new Promise((resolve) => {
    const end = (code, signal) => {
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

/** Sends the signal, and SIGKILL when the child has not ended within `graceMs`; resolves once it has. */
export async function endChild(child, signal, graceMs) {
  if (child.hasExited()) return;
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await child.exited;
  clearTimeout(timer);
}

function splitLines(stream, onLine) {
  let open = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    const parts = (open + chunk).split('\n');
    open = parts.pop().slice(-65_536);
    parts.forEach(onLine);
  });
  stream.on('end', () => {
    if (open !== '') onLine(open);
  });
}
