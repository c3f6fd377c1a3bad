import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openLeaseConnection } from '@chirality/database';
import { killProcessIfSame, type RegisteredProcess } from '@chirality/platform';
import { LeaseKeeper, type LeasePorts } from './lease-keeper';
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
  const ports: LeasePorts = {
    renew: () => connection.renew(),
    nowMs: () => milliseconds(process.hrtime.bigint()),
    lastTickMs: () => milliseconds(Atomics.load(tick, 0)),
    lose: (reason) => {
      isLost = true;
      const killed = [...watched.values()].filter((each) => killProcessIfSame(each)).map(({ pid }) => pid);
      say({ type: 'lost', reason, killed });
    },
  };
  let looking: NodeJS.Timeout | undefined;

  port.on('message', (message: ToLeaseThread) => {
    if (message.type === 'hold') {
      const keeper = new LeaseKeeper(ports, data.times, milliseconds(message.securedAtNs));
      looking = setInterval(() => keeper.look(), LOOK_EVERY_MS);
    } else if (message.type === 'unwatch') watched.delete(message.pid);
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
  say({ type: 'ready' });
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000n) / 1_000;
}

if (parentPort) runLeaseThread(parentPort, workerData as LeaseThreadData);
