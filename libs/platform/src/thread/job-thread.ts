import { Worker } from 'node:worker_threads';
import { THREAD_OPTIONS } from './thread-options';

/** Far more than a thread takes to load on a busy machine. */
const LOAD_LIMIT_MS = 60_000;
const IDLE_MS = 30_000;

/** How a job ended. `busy`: it was not begun, because too many wait. */
type JobEnd<Answer> =
  | { type: 'answered'; answer: Answer }
  | { type: 'too_long' }
  | { type: 'too_large' }
  | { type: 'busy' }
  | { type: 'failed'; reason: string };

type JobThreadLimits = {
  /** Of the job itself; the wait for its turn and the thread's start do not count. */
  deadlineMs: number;
  maxWaiting: number;
  maxWaitingPerOwner: number;
  maxHeapMb: number;
};

type Job<Input, Answer> = { input: Input; end: (end: JobEnd<Answer>) => void };

/**
 * Work on what comes from outside, which may take for ever, away from the loop that serves others. The file says `{
 * type: 'ready' }` when it is loaded, and answers each message with `{ type: 'answered', answer }`. One job at a
 * time, owners by turns; a job that takes too long or needs too much memory ends with its thread, and the next one
 * has a new thread. Neither an idle thread nor one at work keeps the process alive.
 */
export class JobThread<Input, Answer> {
  private readonly waiting = new Map<string, Job<Input, Answer>[]>();
  private current: Job<Input, Answer> | null = null;
  private thread: Worker | null = null;
  private isLoaded = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly limits: JobThreadLimits,
  ) {}

  /** Never rejects. `owner`: who shares the thread with others, a person or a session. */
  run(owner: string, input: Input): Promise<JobEnd<Answer>> {
    const own = this.waiting.get(owner) ?? [];
    const all = [...this.waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0);
    if (own.length >= this.limits.maxWaitingPerOwner || all >= this.limits.maxWaiting)
      return Promise.resolve({ type: 'busy' });
    return new Promise((end) => {
      this.waiting.set(owner, [...own, { input, end }]);
      this.next();
    });
  }

  private next(): void {
    if (this.current) return;
    clearTimeout(this.timer);
    const [first] = this.waiting;
    if (!first) {
      this.timer = setTimeout(() => this.drop(), IDLE_MS).unref();
      return;
    }
    const [owner, [job, ...others]] = first;
    // A map keeps the order of its keys: the owner is put behind the others.
    this.waiting.delete(owner);
    if (others.length > 0) this.waiting.set(owner, others);
    if (!job) return this.next();
    this.current = job;
    if (this.thread && this.isLoaded) this.begin(this.thread);
    else this.start();
  }

  private start(): void {
    const thread = new Worker(this.file, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.limits.maxHeapMb },
      ...THREAD_OPTIONS,
    });
    this.thread = thread;
    this.isLoaded = false;
    this.timer = setTimeout(() => this.over(thread, { type: 'failed', reason: 'did not load' }), LOAD_LIMIT_MS).unref();
    thread.on('message', (message: { type: 'ready' } | { type: 'answered'; answer: Answer }) => {
      // Node fails with the whole process where a thread is ended while it loads an ES module: it is let load first.
      if (thread !== this.thread) return void thread.terminate();
      clearTimeout(this.timer);
      if (message.type === 'answered') return this.settle(message);
      this.isLoaded = true;
      this.begin(thread);
    });
    thread.on('error', (error: NodeJS.ErrnoException) =>
      this.over(
        thread,
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { type: 'too_large' } : { type: 'failed', reason: error.message },
      ),
    );
    thread.on('exit', () => this.over(thread, { type: 'failed', reason: 'ended' }));
    // Last: a listener for messages takes it back.
    thread.unref();
  }

  private begin(thread: Worker): void {
    this.timer = setTimeout(() => this.over(thread, { type: 'too_long' }), this.limits.deadlineMs).unref();
    try {
      thread.postMessage(this.current?.input);
    } catch {
      // What is nested too deeply cannot be copied.
      clearTimeout(this.timer);
      this.settle({ type: 'too_large' });
    }
  }

  private over(thread: Worker, end: JobEnd<Answer>): void {
    if (thread !== this.thread) return;
    clearTimeout(this.timer);
    this.drop();
    this.settle(end);
  }

  private drop(): void {
    const { thread, isLoaded } = this;
    this.thread = null;
    if (isLoaded) void thread?.terminate();
  }

  private settle(end: JobEnd<Answer>): void {
    const job = this.current;
    this.current = null;
    job?.end(end);
    this.next();
  }
}
