import { Transform, type Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '@chirality/platform';
import type { Sandbox } from '../../sandbox/sandbox';
import {
  exceededLimit,
  SandboxUnavailableError,
  type SandboxedProcess,
  type SandboxExit,
  type SandboxRequest,
} from '../../sandbox/sandbox.types';
import { ScriptFailure } from './script-failure';
import { MOUNT_VARIABLES, sandboxPathsOf, type ScriptMounts } from './script-mounts';
import { scriptArguments, type ScriptArgument } from './script-arguments';
import { SCRIPT_PRELUDE } from './script-prelude';

export interface Script {
  text: string;
  args?: readonly ScriptArgument[];
  mounts: ScriptMounts;
  timeoutMs: number;
  /** Ends what `feed` and `collect` run at once; they then throw its reason. */
  stopped?: AbortSignal | undefined;
}

const STDERR_KEPT_CHARS = 64 * 1024;
const PRINTED_KEPT_CHARS = 64 * 1024;
const PIPE_GRACE_MS = 200;

/**
 * Runs our shell scripts in the sandbox's `workspace` profile: no network, no secret, nothing but the mounts. One
 * script is one sandbox. Throws ScriptFailure when the script ended with an exit code, and a ProblemError
 * (SANDBOX_UNAVAILABLE, WORKSPACE_UNAVAILABLE, TURN_IN_PROGRESS) when it could not be run to its end.
 */
export class ScriptRunner {
  constructor(private readonly sandbox: Pick<Sandbox, 'spawn' | 'run'>) {}

  /** The script's output, of which at most `maxOutputBytes` are kept; `truncated` says whether that was all. */
  async run(
    script: Script & { stdin?: string | Buffer | undefined; maxOutputBytes: number },
  ): Promise<{ stdout: Buffer; truncated: boolean }> {
    const { stdin, maxOutputBytes, timeoutMs } = script;
    const result = await this.sandbox
      .run({ ...requestOf(script), stdin, maxOutputBytes, timeoutMs })
      .catch(rethrowAsProblem);
    assertSucceeded(result, result.stderr.toString('utf8'), result.timedOut);
    return { stdout: result.stdout, truncated: result.truncated };
  }

  /**
   * Feeds `input` to the script. Resolves with the little it printed when all of it was read and the script succeeded.
   */
  async feed(script: Script, input: Readable): Promise<string> {
    const process = this.spawn(script);
    const decoder = new StringDecoder('utf8');
    let printed = '';
    process.stdout.on('data', (chunk: Buffer) => {
      if (printed.length < PRINTED_KEPT_CHARS) printed += decoder.write(chunk);
    });
    const [fed, ended] = await Promise.allSettled([pipeline(input, process.stdin), successOf(process, script)]);
    // A script that fails early closes the pipe, so its own reason goes first.
    if (ended.status === 'rejected') throw ended.reason;
    if (fed.status === 'rejected' && (fed.reason as NodeJS.ErrnoException).code !== 'EPIPE') throw fed.reason;
    await readToEnd(process.stdout);
    return printed.trim();
  }

  /**
   * Hands the script's output to `consume` as it comes. The stream ends well only when the script succeeded, so that
   * what is made of the output of a failed script is never taken for whole.
   */
  async collect<T>(script: Script, consume: (output: Readable) => Promise<T>): Promise<T> {
    const process = this.spawn(script);
    process.stdin.end();
    const success = successOf(process, script);
    // Looked at in flush, which may come later than the failure.
    success.catch(() => undefined);
    const output = new Transform({
      transform: (chunk, _encoding, done) => done(null, chunk),
      flush: (done) => void success.then(() => done(), done),
    });
    try {
      const [, result] = await Promise.all([pipeline(process.stdout, output), consume(output)]);
      return result;
    } catch (error) {
      process.killTree();
      await process.exited;
      throw error;
    }
  }

  /**
   * Shows the script's output to `look` as it comes, until that answers true: the script is then ended. `complete` is
   * false only when the time was up first. Throws as `run` does when the script fails.
   */
  async scan(
    script: Script & { stdin?: string | Buffer },
    look: (chunk: Buffer) => boolean,
  ): Promise<{ complete: boolean }> {
    const process = this.spawn(script);
    process.stdin.end(script.stdin ?? '');
    let stderr = '';
    let stopped: 'seen-enough' | 'time-up' | null = null;
    const failures: Error[] = [];
    const stop = (reason: typeof stopped) => {
      stopped ??= reason;
      process.killTree();
    };
    const timer = setTimeout(() => stop('time-up'), script.timeoutMs);
    process.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < STDERR_KEPT_CHARS) stderr += chunk.toString('utf8');
    });
    process.stdout.on('data', (chunk: Buffer) => {
      if (stopped !== null) return;
      try {
        if (look(chunk)) stop('seen-enough');
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error('what came could not be read', { cause: error }));
        stop('seen-enough');
      }
    });
    const exit = await process.exited;
    clearTimeout(timer);
    await Promise.all([readToEnd(process.stdout), readToEnd(process.stderr)]);
    const [failure] = failures;
    if (failure) throw failure;
    if (stopped === null || exit.lockBusy || exit.startFailure) assertSucceeded(exit, stderr, false);
    return { complete: stopped !== 'time-up' };
  }

  private spawn(script: Script): SandboxedProcess {
    try {
      return this.sandbox.spawn(requestOf(script));
    } catch (error) {
      return rethrowAsProblem(error);
    }
  }
}

function requestOf({ text, args = [], mounts }: Script): SandboxRequest {
  const { preparation, passed } = scriptArguments(args);
  return {
    profile: 'workspace',
    paths: sandboxPathsOf(mounts),
    command: ['/bin/sh', '-c', SCRIPT_PRELUDE + preparation + text, 'workspace', ...passed],
    env: MOUNT_VARIABLES,
  };
}

async function successOf(process: SandboxedProcess, { timeoutMs, stopped }: Script): Promise<void> {
  let stderr = '';
  let timedOut = false;
  process.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < STDERR_KEPT_CHARS) stderr += chunk.toString('utf8');
  });
  const timer = setTimeout(() => {
    timedOut = true;
    process.killTree();
  }, timeoutMs);
  const end = () => process.killTree();
  stopped?.addEventListener('abort', end);
  if (stopped?.aborted) end();
  const exit = await process.exited;
  clearTimeout(timer);
  stopped?.removeEventListener('abort', end);
  stopped?.throwIfAborted();
  await readToEnd(process.stderr);
  assertSucceeded(exit, stderr, timedOut);
}

/** What a process wrote may be read after its exit was seen. */
async function readToEnd(stream: Readable): Promise<void> {
  await Promise.race([finished(stream).catch(() => undefined), delay(PIPE_GRACE_MS)]);
}

function assertSucceeded(exit: SandboxExit, stderr: string, timedOut: boolean): void {
  if (exit.lockBusy)
    throw new ProblemError(
      'TURN_IN_PROGRESS',
      'The workspace is in use by a turn. Wait for it to end, or interrupt it.',
    );
  if (exit.startFailure) throw new ProblemError('SANDBOX_UNAVAILABLE', exit.startFailure);
  if (timedOut) throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The workspace did not answer in time. Try again.');
  if (exceededLimit(exit) !== null)
    throw new ProblemError(
      'WORKSPACE_UNAVAILABLE',
      'The workspace is larger than it may be. Remove large files from it.',
    );
  if (exit.code !== 0) throw new ScriptFailure(exit.code, stderr);
}

function rethrowAsProblem(error: unknown): never {
  if (error instanceof SandboxUnavailableError) throw new ProblemError('SANDBOX_UNAVAILABLE', error.message);
  throw error;
}
