import type { Driver, Target, Transport } from './driver';
import { RestDriver } from './rest.driver';
import { SocketIoDriver } from './socket-io.driver';

const DRIVERS: Readonly<Partial<Record<Transport, new (target: Target) => Driver>>> = {
  rest: RestDriver,
  'socket.io': SocketIoDriver,
};

/** The driver of a transport; it opens connections when they are needed, and `close` ends them all. */
export function openDriver(transport: Transport, target: Target): Driver {
  const driver = DRIVERS[transport];
  if (!driver) throw new Error(`There is no driver for ${transport}.`);
  return new driver(target);
}
