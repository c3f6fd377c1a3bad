import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openLeaseConnection } from '@chirality/database';
import { killProcessIfSame, type RegisteredProcess } from '@chirality/platform';
import { LeaseKeeper } from './lease-keeper';
import type { FromLeaseThread, LeaseThreadData, ToLeaseThread } from './lease-messages';

const LOOK_EVERY_MS = 100;
const CLOSE_MS = 1_000;

/** The thread's own loop: nothing that the main thread does, or fails to do, holds it up. */
function runLeaseThread(port: NonNullable<typeof parentPort>, data: LeaseThreadData): void {
  const connection = openLeaseConnection({ url: data.databaseUrl, worker: data.worker, ttlMs: data.ttlMs });
  const tick = new BigInt64Array(data.tick);
  const watched = new Map<number, RegisteredProcess>();
  let isLost = false;

  const say = (message: FromLeaseThread): void => port.postMessage(message);
  const keeper = new LeaseKeeper(
    {
      renew: () => connection.renew(),
      nowMs: () => milliseconds(process.hrtime.bigint()),
      lastTickMs: () => milliseconds(Atomics.load(tick, 0)),
      lose: (reason) => {
        isLost = true;
        const killed = [...watched.values()].filter((each) => killProcessIfSame(each)).map(({ pid }) => pid);
        say({ type: 'lost', reason, killed });
      },
    },
    data.times,
    milliseconds(data.securedAtNs),
  );
  const looking = setInterval(() => keeper.look(), LOOK_EVERY_MS);

  port.on('message', (message: ToLeaseThread) => {
    if (message.type === 'unwatch') watched.delete(message.pid);
    else if (message.type === 'watch') {
      watched.set(message.process.pid, message.process);
      // Started before the main loop heard that the lease is lost.
      if (isLost) killProcessIfSame(message.process);
    } else {
      clearInterval(looking);
      // A server that hangs would not let go of the connection.
      void Promise.race([connection.close(), delay(CLOSE_MS)]).then(() => process.exit(0));
    }
  });
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000n) / 1_000;
}

if (parentPort) runLeaseThread(parentPort, workerData as LeaseThreadData);
