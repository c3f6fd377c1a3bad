import type { Driver, Target, Transport } from './driver';
import { HarnessRoutesDriver } from './harness-routes.driver';
import { McpDriver } from './mcp.driver';
import { RestDriver } from './rest.driver';
import { SocketIoDriver } from './socket-io.driver';
import { WebsocketDriver } from './websocket.driver';

const DRIVERS: Readonly<Record<Transport, new (target: Target) => Driver>> = {
  rest: RestDriver,
  'socket.io': SocketIoDriver,
  websocket: WebsocketDriver,
  mcp: McpDriver,
  'harness-routes': HarnessRoutesDriver,
};

/** The driver of a transport; it opens connections when they are needed, and `close` ends them all. */
export function openDriver(transport: Transport, target: Target): Driver {
  return new DRIVERS[transport](target);
}
