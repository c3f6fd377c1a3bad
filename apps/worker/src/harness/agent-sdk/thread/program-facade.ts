import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { FromThread, ToThread } from './thread-protocol';

type OfProgram = Extract<ToThread, { type: 'stdout' | 'stdout_end' | 'stdin_written' | 'exit' }>;

/** What the SDK takes for its process: the real one is the main thread's, and its bytes come and go by messages. */
export class ProgramFacade extends EventEmitter {
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly stdout = new PassThrough();
  readonly stdin: Writable;
  private readonly written = new Map<string, () => void>();
  private sequence = 0;

  constructor(private readonly tell: (message: FromThread) => void) {
    super();
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        const id = `w${(this.sequence += 1)}`;
        this.written.set(id, done);
        this.tell({ type: 'stdin', id, bytes: new Uint8Array(chunk) });
      },
      final: (done) => {
        this.tell({ type: 'stdin_end' });
        done();
      },
    });
  }

  /** The main thread ends the whole tree: a program that is asked politely by a thread may take its time. */
  kill(): boolean {
    this.killed = true;
    this.tell({ type: 'kill' });
    return true;
  }

  accept(message: OfProgram): void {
    switch (message.type) {
      case 'stdout': {
        const { length } = message.bytes;
        this.stdout.write(Buffer.from(message.bytes.buffer, message.bytes.byteOffset, length), () =>
          // After the SDK handed over what it made of them.
          setImmediate(() => this.tell({ type: 'stdout_read', count: length })),
        );
        return;
      }
      case 'stdout_end':
        this.stdout.end();
        return;
      case 'stdin_written':
        this.written.get(message.id)?.();
        this.written.delete(message.id);
        return;
      case 'exit':
        this.exitCode = message.code;
        this.signalCode = message.signal as NodeJS.Signals | null;
        this.emit('exit', message.code, message.signal);
    }
  }
}
