import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** The ordinary user that servers run under when the tests themselves run as root; needs no account. */
const UNPRIVILEGED_ID = 10_001;

/** The identity that a server of the tests runs under: null means the tests' own. */
export function serverIdentity(): { uid: number; gid: number } | null {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : null;
}

export interface GuardedProcess {
  hasExited(): boolean;
  /** Waits for the command's end; the server keeps this process alive only during such a wait. */
  exited(): Promise<void>;
  /** What the command has printed so far, for the message of a failed start. */
  output(): string;
  /** Ends the command with the guard's own signal and waits for it. */
  stop(): Promise<void>;
}

/**
 * A line on descriptor 3 asks for an end; its closing means that the parent is gone and will not remove the directory.
 */
const GUARD = `
"$@" 3<&- &
child=$!
( read -r _ <&3 || touch "$DIRECTORY/abandoned"; kill -"$SIGNAL" $child ) 2>/dev/null &
watcher=$!
wait $child
kill $watcher 2>/dev/null
if [ -e "$DIRECTORY/abandoned" ]; then rm -rf "$DIRECTORY"; fi
`;

/**
 * Runs a server that cannot outlive this process: a shell watches a pipe from here and sends the server `signal` when
 * it closes, which also happens when this process is killed. Then it removes `directory`, the server's own.
 */
export function runGuarded(
  command: string[],
  options: { signal: 'INT' | 'QUIT' | 'TERM'; directory: string },
): GuardedProcess {
  const child: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'guard', ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, SIGNAL: options.signal, DIRECTORY: options.directory, LC_ALL: 'C', TZ: 'UTC' },
    detached: true,
    ...(serverIdentity() ?? {}),
  });
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const lifeline = child.stdio[3] as Socket;
  lifeline.on('error', () => undefined);
  child.unref();
  for (const stream of [child.stdout, child.stderr, lifeline]) (stream as Socket).unref();
  const exit = once(child, 'exit');
  const exited = async () => {
    child.ref();
    await exit;
  };
  return {
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    exited,
    output: () => output,
    stop: async () => {
      lifeline.write('end\n');
      await exited();
    },
  };
}
