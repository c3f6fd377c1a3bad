/**
 * A JSON object as the program prints it. `$session`, `$message`, `$cwd`, `$uuid` and `$fill:N` are filled in when it
 * is printed.
 */
export type FakeRecord = { type: string; [field: string]: unknown };

type Stream = 'stdout' | 'stderr';
export type FakeSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGUSR1';

/** One thing that the stand-in does. Steps are played one after the other; an interrupt ends those of its turn. */
export type FakeStep =
  | { do: 'emit'; record: FakeRecord }
  | { do: 'init'; change?: Record<string, unknown> }
  | { do: 'result'; change?: Record<string, unknown> }
  /** Bytes in pieces that end at `cuts`, with a pause after each. */
  | {
      do: 'write';
      text?: string;
      base64?: string;
      record?: FakeRecord;
      cuts?: number[] | 'every-byte';
      delayMs?: number;
      stream?: Stream;
    }
  /** So many letters, as lines or as one line that never ends; `open` begins it as a record. */
  | { do: 'flood'; bytes: number; stream?: Stream; lineBytes?: number; open?: boolean }
  | { do: 'stderr'; text: string }
  | { do: 'sleep'; ms: number }
  | { do: 'hang' }
  /** Spins. Without `ms` for ever, and then no trapped signal is handled either. */
  | { do: 'busy'; ms?: number }
  | { do: 'exit'; code: number }
  | { do: 'die'; signal: FakeSignal | 'SIGKILL' | 'SIGSEGV' | 'SIGABRT' }
  | { do: 'closeStdout' }
  | { do: 'closeStdin' }
  /** The end of its input no longer ends it. */
  | { do: 'ignoreStdinEnd' }
  | { do: 'awaitStdinEnd' }
  | { do: 'awaitSignal'; signal: FakeSignal }
  | { do: 'awaitFile'; path: string }
  /** From now on these signals play `steps` instead of ending it; without steps they are ignored. */
  | { do: 'trap'; signals: FakeSignal[]; steps?: FakeStep[] | undefined }
  /** What an interrupt by control request does instead of what the real program does. */
  | { do: 'onInterrupt'; ignore?: boolean; steps?: FakeStep[] | undefined }
  /** A child that outlives the step: in its own session with `setsid`; with `holdsOutput` it keeps stdout open. */
  | { do: 'spawn'; command: string[]; setsid?: boolean; holdsOutput?: boolean }
  | { do: 'listen'; port: number; host?: string }
  | { do: 'writeFile'; path: string; text: string }
  | { do: 'removeFile'; path: string }
  | { do: 'fillDisk'; path: string; bytes: number }
  | { do: 'allocate'; bytes: number }
  | { do: 'log'; value: unknown }
  /** Logs what can be read of these paths. */
  | { do: 'look'; paths: string[] }
  /** A request to the model's service by the socket and token of its environment; the answer goes to the log. */
  | { do: 'callModel'; body: Record<string, unknown>; headers?: Record<string, string> }
  /** A tool call that asks the host as the real program does; `steps` are what the tool does when it may run. */
  | {
      do: 'useTool';
      id: string;
      name: string;
      input: Record<string, unknown>;
      content?: unknown;
      isError?: boolean;
      details?: unknown;
      messageId?: string;
      parent?: string;
      steps?: FakeStep[] | undefined;
    }
  /** A permission request without its tool; the answer goes to the log. */
  | { do: 'ask'; id: string; name: string; input: Record<string, unknown> }
  | { do: 'repeat'; times: number; steps: FakeStep[] };

/** `start` is played before stdin is read, `turns[n]` for message n; the last one serves all messages after it. */
export type FakeClaudeScript = { start?: FakeStep[]; turns?: FakeStep[][] };

/** A message whose last paragraph begins with this carries the steps for its turn. */
export const FAKE_CLAUDE_MARKER = '[[fake-claude]]';

/**
 * What the stand-in wrote down, one line each: start, stdin, stdin-end, signal, spawned, listening, model, look, note,
 * exit …
 */
export type FakeClaudeLogEntry = { at: number; pid: number; what: string; [field: string]: unknown };
