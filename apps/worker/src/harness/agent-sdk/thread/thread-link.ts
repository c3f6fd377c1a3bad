import { extname, join } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { fromThreadSchema, type FromThread, type ToThread } from './thread-protocol';

/** Several times what one whole line of the program takes; what a thread really uses is about 30 MB. */
const MAX_HEAP_MB = 512;

const PING_EVERY_MS = 5_000;

/** A thread that leaves so many questions in a row unanswered runs in a circle. */
const MAX_UNANSWERED_PINGS = 3;

/** Far more than the SDK takes to load on a busy machine. */
const LOAD_LIMIT_MS = 60_000;

const THREAD = join(__dirname, `sdk-thread${extname(__filename)}`);

/** `file`: what runs in the thread, where it is not the one of this folder. */
export type ThreadSettings = { maxHeapMb?: number; pingEveryMs?: number; file?: string; worker?: WorkerOptions };

interface ThreadListener {
  /** What it says, checked. */
  heard(message: FromThread): void;
  /** It threw, and ends. What it said before that may be overtaken by it, and is heard until `ended`. */
  threw(fault: string): void;
  /** Called once: it is gone, or as good as gone. Null when it ended as it should; else one sentence. */
  ended(fault: string | null): void;
}

/**
 * The main thread's end of the thread in which the SDK runs. The thread has nothing of this process's environment. What
 * it says is checked, and it is ended when it says anything else, throws, needs too much memory or no longer answers.
 */
export class ThreadLink {
  private readonly worker: Worker;
  private readonly pinging: NodeJS.Timeout;
  private readonly loading: NodeJS.Timeout;
  private unanswered = 0;
  /** Node fails with the whole process where a thread is ended while it loads an ES module: it is let load first. */
  private isLoaded = false;
  private isOver = false;
  private thrown: string | null = null;
  private listener: ThreadListener | null = null;

  constructor({
    maxHeapMb = MAX_HEAP_MB,
    pingEveryMs = PING_EVERY_MS,
    file = THREAD,
    worker = {},
  }: ThreadSettings = {}) {
    this.worker = new Worker(file, {
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
      ...worker,
    });
    this.worker.on('message', (message: unknown) => this.accept(message));
    this.worker.on('messageerror', () => this.end('said something that cannot be read'));
    this.worker.on('error', (error: NodeJS.ErrnoException) => this.threw(reasonOf(error)));
    this.worker.on('exit', () => this.end(this.thrown ?? 'ended'));
    this.worker.on('exit', () => clearTimeout(this.loading));
    // Without a listener it keeps no process alive.
    this.worker.unref();
    this.pinging = setInterval(() => this.ping(), pingEveryMs).unref();
    this.loading = setTimeout(() => this.loadingEnded('did not load'), LOAD_LIMIT_MS).unref();
  }

  /** Whether it can be given to a process: it has not ended. */
  get isUsable(): boolean {
    return !this.isOver;
  }

  /** From now on it works for one process. Called once. */
  workFor(listener: ThreadListener): void {
    this.listener = listener;
    this.worker.ref();
    // What the SDK prints is of no use, and unread it would be kept. Reading it keeps the process alive.
    this.worker.stdout.resume();
    this.worker.stderr.resume();
  }

  say(message: ToThread): void {
    if (!this.isOver) this.worker.postMessage(message);
  }

  /** It is no longer needed. */
  terminate(): void {
    this.end(null);
  }

  private accept(message: unknown): void {
    // The first thing that it says is that it is ready.
    if (!this.isLoaded) this.loadingEnded(null);
    if (this.isOver) return;
    const parsed = fromThreadSchema.safeParse(message);
    if (!parsed.success) return this.end('said something that is not part of its protocol');
    this.unanswered = 0;
    if (parsed.data.type === 'pong' || parsed.data.type === 'ready') return;
    if (this.listener === null) return this.end('spoke before it was spoken to');
    this.listener.heard(parsed.data);
  }

  private threw(fault: string): void {
    this.thrown = fault;
    if (!this.isOver) this.listener?.threw(fault);
  }

  private loadingEnded(fault: string | null): void {
    clearTimeout(this.loading);
    this.isLoaded = true;
    if (fault !== null) this.end(fault);
    if (this.isOver) void this.worker.terminate();
  }

  private ping(): void {
    if (!this.isLoaded) return;
    if (this.unanswered >= MAX_UNANSWERED_PINGS) return this.end('no longer answered');
    this.unanswered += 1;
    this.say({ type: 'ping' });
  }

  private end(fault: string | null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.pinging);
    if (this.isLoaded) void this.worker.terminate();
    this.listener?.ended(fault);
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'ran out of memory' : `failed: ${error.message}`;
}
