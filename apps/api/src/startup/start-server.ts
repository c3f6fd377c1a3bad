import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Reconciler, RECONCILE_EVERY_MS, WorkerRepository } from '@chirality/database';
import { killProcessIfSame, machineIdentity } from '@chirality/platform';
import { AccessWatch } from '../access/access-watch';
import { basePathOf, serveBelow } from '../core/address/base-path';
import { Shutdown } from '../core/shutdown';
import { FeedRegistry } from '../event/feed-registry';
import { OpenStreams } from '../event/open-streams';
import { SessionReaders } from '../event/session-readers';
import { ReconcilerLoop } from '../health/reconciler-loop';
import { WorkerWatch } from '../health/worker-watch';
import { LiveSessions } from '../live/live-sessions';
import { McpStreamsService } from '../mcp/mcp-streams.service';
import { createApp, type AppOptions } from '../server/create-app';
import { closeServices, type Services } from '../server/services';
import { TurnWatch } from '../turn/turn-watch';
import { WebsocketConnections } from '../websocket/websocket-connections';
import { WebsocketUpgrade } from '../websocket/websocket-upgrade';
import { LiveWorkers } from '../worker/live-workers';
import { prepareDatabase } from './prepare-database';
import { listenOnUnixSocket, makeRoomForSocket } from './unix-socket';

export interface RunningServer {
  port: number;
  /** Resolves when a first start's work on the database is done; rejects when it cannot be. */
  prepared: Promise<void>;
  /** Lets go of everything, in at most about eight seconds. Safe to call twice. */
  stop(): Promise<void>;
}

/** Listens at once, also while the database is away: what needs it says so until it is there. */
export async function startServer(services: Services, options: AppOptions = {}): Promise<RunningServer> {
  const { config, health, log } = services;
  if (config.socketPath !== null) await makeRoomForSocket(config.socketPath);
  const { app, sockets } = await createApp(services, options);
  const shutdown = new Shutdown();
  const abort = new AbortController();
  let isPrepared = false;
  let refusal: string | null = null;
  health.register({ name: 'server', critical: true, check: () => stateOf(shutdown.draining, isPrepared, refusal) });
  const http: Server = app.getHttpServer();
  serveBelow(http, basePathOf(config));
  app.get(WebsocketUpgrade).serve(http);
  const local = config.socketPath === null ? null : await listenOnUnixSocket(config.socketPath, http);
  await app.listen(config.port, config.host);
  // As long as an upload may take; what is read before the user is known has its own, shorter limit.
  http.requestTimeout = 15 * 60_000;
  http.keepAliveTimeout = 65_000;
  const { port } = http.address() as AddressInfo;
  log.info({ host: config.host, port, ...(local ? { socket: config.socketPath } : {}) }, 'api.listening');

  const loop = reconcilerLoop(services);
  const watch = new WorkerWatch({
    workers: new WorkerRepository(services.database),
    machine: machineIdentity(),
    log,
    onGivenUp: () => {
      app.get(LiveWorkers).expectReturn();
      loop.hurry();
    },
  });
  const prepared = prepareDatabase(services, abort.signal).then(() => {
    isPrepared = true;
    loop.start();
    watch.start();
  });
  prepared.catch((error: Error) => (refusal = error.message));

  shutdown.register(app.get(TurnWatch));
  shutdown.register(app.get(OpenStreams));
  shutdown.register(app.get(SessionReaders));
  shutdown.register(app.get(McpStreamsService));
  shutdown.register({ drain: () => app.get(LiveSessions).close() });
  shutdown.register({ drain: () => sockets.sendClientsAway() });
  shutdown.register(app.get(WebsocketConnections));
  shutdown.register({ drain: () => watch.stop() });
  shutdown.register({ drain: () => loop.stop() });

  let stopping: Promise<void> | null = null;
  const stop = async () => {
    abort.abort();
    await shutdown.stop(local ? [http, local] : [http]);
    app.get(AccessWatch).close();
    await prepared.catch(() => undefined);
    await app.close();
    app.get(FeedRegistry).close();
    await closeServices(services);
  };
  return { port, prepared, stop: () => (stopping ??= stop()) };
}

function reconcilerLoop({ database, eventLog, messaging, log }: Services): ReconcilerLoop {
  const reconciler = new Reconciler({
    database,
    log: eventLog,
    enqueue: (turnId, holderWorkerId) => void messaging.turns.wake(turnId, holderWorkerId),
    machine: machineIdentity(),
    killProcess: (process) => void killProcessIfSame(process),
  });
  return new ReconcilerLoop(() => reconciler.tick(), log, RECONCILE_EVERY_MS);
}

function stateOf(
  draining: boolean,
  prepared: boolean,
  refusal: string | null,
): { status: 'ok' | 'unavailable'; detail?: string } {
  if (draining) return { status: 'unavailable', detail: 'it is stopping' };
  if (refusal !== null) return { status: 'unavailable', detail: refusal };
  return prepared
    ? { status: 'ok' }
    : { status: 'unavailable', detail: 'it is starting, and the database is not ready yet' };
}
