import { PassThrough } from 'node:stream';
import { ProgramPipes } from './program-pipes';
import type { ToThread } from './thread/thread-protocol';

const KIB = 1024;

function setUp() {
  const program = { stdin: new PassThrough(), stdout: new PassThrough() };
  const said: ToThread[] = [];
  const pipes = new ProgramPipes(program, (message) => said.push(message));
  const carried = () =>
    said.reduce((sum, message) => sum + (message.type === 'stdout' ? message.bytes.length : 0), 0) / KIB;
  return { ...program, pipes, carried };
}

describe('what the program writes on its way to the thread', () => {
  it('is held back where the thread has so much unread', () => {
    const { stdout, pipes, carried } = setUp();
    pipes.open();
    pipes.carry(Buffer.alloc(255 * KIB));
    expect(stdout.isPaused()).toBe(false);
    pipes.carry(Buffer.alloc(KIB));
    expect([stdout.isPaused(), carried()]).toEqual([true, 256]);
    pipes.read(KIB);
    expect(stdout.isPaused()).toBe(false);
  });

  it('is held back just as well before the thread may have it', () => {
    const { stdout, pipes, carried } = setUp();
    pipes.carry(Buffer.alloc(200 * KIB));
    expect(stdout.isPaused()).toBe(false);
    pipes.carry(Buffer.alloc(100 * KIB));
    expect([stdout.isPaused(), carried()]).toEqual([true, 0]);
    pipes.open();
    expect([stdout.isPaused(), carried()]).toEqual([true, 300]);
    pipes.read(100 * KIB);
    expect(stdout.isPaused()).toBe(false);
  });
});
