import type { Readable } from 'node:stream';

export interface SandboxStatus {
  /** Host pid of the namespace's init. */
  initPid: number | null;
  /** Inode of the PID namespace. */
  pidNamespace: number | null;
  exitCode: number | null;
}

/** Follows bubblewrap's `--json-status-fd`: one JSON document a line, first the init's pid, last the exit code. */
export function followStatus(stream: Readable, onStatus: (status: SandboxStatus) => void): void {
  const status: SandboxStatus = { initPid: null, pidNamespace: null, exitCode: null };
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('error', () => undefined);
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) absorb(status, line);
    onStatus(status);
  });
}

function absorb(status: SandboxStatus, line: string): void {
  try {
    const document = JSON.parse(line) as Record<string, unknown>;
    if (typeof document['child-pid'] === 'number') status.initPid = document['child-pid'];
    if (typeof document['pid-namespace'] === 'number') status.pidNamespace = document['pid-namespace'];
    if (typeof document['exit-code'] === 'number') status.exitCode = document['exit-code'];
  } catch {
    // Not a document of ours: nothing depends on a line that cannot be read.
  }
}
