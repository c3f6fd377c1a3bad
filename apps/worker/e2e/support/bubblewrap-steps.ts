import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@chirality/testing';

/** Where a sandbox is stopped: before its program begins, or when that has done everything and no one knows yet. */
export type StopAt = 'before' | 'after';

/**
 * A `bwrap` to be found first. While it is armed each sandbox has a number, from 1, and the one with the wanted number
 * stops. All else passes as it is.
 */
export class BubblewrapSteps {
  readonly directory = mkdtempSync(join(tmpdir(), 'chi-steps-'));

  constructor() {
    const d = this.directory;
    execFileSync('mkfifo', [join(d, 'gate')]);
    const script = `#!/bin/sh
PATH=\${PATH#*:}
read -r step when 2>/dev/null < ${d}/armed || exec bwrap "$@"
number=1
while ! mkdir "${d}/step.$number" 2>/dev/null; do number=$((number + 1)); done
[ "$number" = "$step" ] || exec bwrap "$@"
stop() { echo $$ > ${d}/held.new; mv ${d}/held.new ${d}/held; read -r go < ${d}/gate; }
if [ "$when" = before ]; then stop; exec bwrap "$@"; fi
bwrap "$@"; code=$?
stop
exit $code
`;
    writeFileSync(join(d, 'bwrap'), script, { mode: 0o755 });
  }

  arm(step: number, when: StopAt): void {
    this.disarm();
    const file = join(this.directory, 'armed');
    writeFileSync(`${file}.new`, `${step} ${when}\n`);
    renameSync(`${file}.new`, file);
  }

  /** Lets everything pass for a while, without counting. */
  pause(): void {
    const armed = join(this.directory, 'armed');
    if (existsSync(armed)) renameSync(armed, `${armed}.paused`);
  }

  resume(): void {
    const armed = join(this.directory, 'armed');
    if (existsSync(`${armed}.paused`)) renameSync(`${armed}.paused`, armed);
  }

  /** How many sandboxes began since it was armed. */
  get began(): number {
    return readdirSync(this.directory).filter((name) => name.startsWith('step.')).length;
  }

  get isHeld(): boolean {
    return existsSync(join(this.directory, 'held'));
  }

  /** Resolves when one is stopped, or `isOver` says that there is nothing left to stop. */
  async held(isOver: () => boolean): Promise<boolean> {
    await waitFor(() => this.isHeld || isOver(), { what: 'a sandbox stops', timeoutMs: 60_000, everyMs: 10 });
    return this.isHeld;
  }

  /** Ends what is stopped: with its worker gone, it is no one's. */
  disarm(): void {
    const held = join(this.directory, 'held');
    for (const name of ['armed', 'armed.paused']) rmSync(join(this.directory, name), { force: true });
    if (existsSync(held)) endProcess(Number(readFileSync(held, 'utf8')));
    for (const name of readdirSync(this.directory))
      if (name === 'held' || name.startsWith('step.')) rmSync(join(this.directory, name), { recursive: true });
  }

  close(): void {
    this.disarm();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with its worker.
  }
}
