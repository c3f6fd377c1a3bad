import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { runGuarded, type GuardedProcess } from '../guarded-process';
import { makeServerDirectory } from '../short-directory';
import { waitFor } from '../wait-for';

export interface TestRedis {
  /** `unix:/…/redis.sock` */
  url: string;
  /** Ends the server; without persistence, everything in it is gone. */
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  /** Stops the server, so that it keeps its connections and answers nothing; the returned function lets it continue. */
  hang(): Promise<() => void>;
  /** Sends one command, words as given, and answers Redis' reply as raw protocol text. */
  command(...words: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** A dedicated real Redis on a unix socket, nothing persisted. It ends with this process, even when that is killed. */
export async function startTestRedis(options: { settings?: Record<string, string> } = {}): Promise<TestRedis> {
  const directory = makeServerDirectory('redis');
  const socketPath = join(directory, 'redis.sock');
  const settings = {
    port: '0',
    unixsocket: socketPath,
    unixsocketperm: '777',
    dir: directory,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    ...options.settings,
  };
  const binary = process.env.CHIRALITY_REDIS_BIN || 'redis-server';
  const command = [binary, ...Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value])];

  let server: GuardedProcess | null = null;
  const comeUp = async () => {
    const started = runGuarded(command, { signal: 'TERM', directory });
    server = started;
    await waitFor(
      async () => {
        if (started.hasExited()) throw new Error(`redis did not start: ${started.output()}`);
        return (await sendCommand(socketPath, ['PING']).catch(() => '')).startsWith('+PONG');
      },
      { what: 'redis answers', timeoutMs: 15_000 },
    );
  };
  const goDown = async () => {
    const running = server;
    server = null;
    await running?.stop();
  };

  await comeUp();
  return {
    url: `unix:${socketPath}`,
    goDown,
    comeUp,
    hang: async () => {
      const pid = Number(/process_id:(\d+)/.exec(await sendCommand(socketPath, ['INFO', 'server']))?.[1]);
      process.kill(pid, 'SIGSTOP');
      return () => void process.kill(pid, 'SIGCONT');
    },
    command: (...words) => sendCommand(socketPath, words),
    stop: async () => {
      await goDown();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function sendCommand(socketPath: string, words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    socket.on('error', reject);
    socket.on('connect', () => {
      socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
    });
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(reply.toString());
    });
  });
}
