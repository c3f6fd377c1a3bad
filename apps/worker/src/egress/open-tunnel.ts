import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Destination } from './decide-destination';
import type { EgressLimits, ResolvedAddress } from './egress.types';
import { pinnedLookup } from './pinned-lookup';
import { refusalResponse } from './refusal';

type Tunnel = {
  client: Duplex;
  /** What the client said already after its request. */
  head: Buffer;
  destination: Destination;
  addresses: ResolvedAddress[];
  limits: EgressLimits;
  hold(stream: Duplex): void;
  note(decision: 'allowed' | 'unreachable'): void;
};

/** Connects to one of the addresses that were decided upon, and passes bytes both ways until either side ends. */
export function openTunnel({ client, head, destination, addresses, limits, hold, note }: Tunnel): void {
  const remote = connect({
    host: destination.host,
    port: destination.port,
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
  });
  hold(remote);
  let connected = false;
  const timer = setTimeout(() => remote.destroy(), limits.connectMs).unref();
  remote.once('connect', () => {
    connected = true;
    clearTimeout(timer);
    note('allowed');
    remote.setTimeout(limits.idleMs, () => remote.destroy());
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) remote.write(head);
    client.pipe(remote);
    remote.pipe(client);
  });
  client.once('close', () => remote.destroy());
  remote.once('close', () => {
    clearTimeout(timer);
    if (connected || client.destroyed) return void client.end();
    note('unreachable');
    client.end(refusalResponse(`${destination.host}:${destination.port}`, 'unreachable'));
  });
}
