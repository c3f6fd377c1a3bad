import type { SandboxedProcess } from '../../sandbox/sandbox.types';
import type { ToThread } from './thread/thread-protocol';

/** So much of what the program wrote may be on its way to the thread, and back as messages. */
const CREDIT_BYTES = 256 * 1024;

/** Carries the program's bytes to the thread and back, as fast as the slower side reads. */
export class ProgramPipes {
  private unread = 0;
  private readonly holds = new Set<'thread' | 'store'>();
  private released: () => void = () => undefined;
  private isOpen = false;
  private early: Buffer[] = [];

  constructor(
    private readonly program: Pick<SandboxedProcess, 'stdin' | 'stdout'>,
    private readonly say: (message: ToThread) => void,
  ) {
    program.stdin.on('error', () => undefined);
  }

  /** The thread may reach the program. */
  open(): void {
    this.isOpen = true;
    for (const chunk of this.early.splice(0)) this.hand(chunk);
  }

  /** Something the program wrote. */
  carry(chunk: Buffer): void {
    this.unread += chunk.length;
    if (this.isOpen) this.hand(chunk);
    else this.early.push(chunk);
    if (this.unread >= CREDIT_BYTES) this.hold('thread');
  }

  /** The thread read so many bytes. */
  read(count: number): void {
    this.unread -= count;
    if (this.unread < CREDIT_BYTES) this.release('thread');
  }

  /** How much the thread still has to read. */
  get left(): number {
    return this.unread;
  }

  hold(why: 'thread' | 'store'): void {
    this.holds.add(why);
    this.program.stdout.pause();
  }

  release(why: 'thread' | 'store'): void {
    if (!this.holds.delete(why) || this.holds.size > 0) return;
    this.program.stdout.resume();
    this.released();
  }

  /** Resolves when nothing holds the program's bytes back. */
  whenReleased(): Promise<void> {
    return this.holds.size === 0 ? Promise.resolve() : new Promise((resolve) => (this.released = resolve));
  }

  private hand(chunk: Buffer): void {
    this.say({ type: 'stdout', bytes: new Uint8Array(chunk) });
  }

  write(id: string, bytes: Uint8Array): void {
    const { stdin } = this.program;
    const written = () => this.say({ type: 'stdin_written', id });
    if (!this.isOpen || stdin.destroyed || stdin.writableEnded) return written();
    stdin.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), written);
  }
}
