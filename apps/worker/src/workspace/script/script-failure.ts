const SHOWN_CHARS = 300;

/** A script of ours ended with an exit code that says something. `reason` is the last thing it said, cut, never a secret. */
export class ScriptFailure extends Error {
  readonly reason: string;

  constructor(
    /** Null when it was killed. */
    readonly code: number | null,
    stderr: string,
  ) {
    const reason = lastLineOf(stderr);
    super(`workspace script ended with ${code ?? 'a signal'}: ${reason}`);
    this.reason = reason;
  }
}

/** Git repeats names of files, which are the agent's: control characters do not pass into logs and answers. */
export function lastLineOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim());
  return (lines.filter((line) => line !== '').at(-1) ?? 'no message').slice(0, SHOWN_CHARS);
}
