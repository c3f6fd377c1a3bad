import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * How the embedded Redis is started, reached and ended: a unix socket in a private directory, every write logged,
 * nothing ever evicted (an evicted queue entry would be a lost wake-up).
 * @param {{ program: string, dataDir: string, runDir: string }} place
 * @returns {import('./service.mjs').DataService}
 */
export function redisService({ program, dataDir, runDir }) {
  const data = join(dataDir, 'redis');
  const socket = join(runDir, 'redis.sock');
  const settings = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: data,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  let failures = 0;
  return {
    name: 'redis',
    url: `unix:${socket}`,
    command: program,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stopSignal: 'SIGTERM',
    deathSignal: 'TERM',
    stopMs: 10_000,
    beforeStart: () => {
      mkdirSync(data, { recursive: true, mode: 0o700 });
      // Everything in Redis is a hint or can be made again, so data that it cannot load are put aside rather than
      // mourned.
      if (failures >= 2 && existsSync(join(data, 'appendonlydir'))) {
        rmSync(join(data, 'unreadable'), { recursive: true, force: true });
        renameSync(join(data, 'appendonlydir'), join(data, 'unreadable'));
      }
      failures += 1;
    },
    isReady: async () => {
      const ready = await ping(socket);
      if (ready) failures = 0;
      return ready;
    },
    readyMs: 30_000,
  };
}

/**
 * @param {string} path
 * @returns {Promise<boolean>}
 */
function ping(path) {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (/** @type {boolean} */ answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2000, () => end(false));
    socket.once('error', () => end(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (reply) => end(reply.toString().startsWith('+PONG')));
  });
}
