import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Members of Engine.IO's connection that its types do not show: packets not yet given to the WebSocket, and the
 * WebSocket itself.
 */
type EngineConnection = { writeBuffer?: { data?: unknown }[]; transport?: { socket?: { bufferedAmount?: number } } };

/** The parts of a Socket.IO socket that say how much of what was sent is still here. */
interface PressureSource {
  readonly connected: boolean;
  readonly conn: object;
}

/** Above this a live connection is removed from its rooms and asked to attach again. */
export const PRESSURE_LIMIT_BYTES = 2 * 1024 * 1024;
const ROOM_FOR_A_PAGE_BYTES = 256 * 1024;
const FIRST_WAIT_MS = 2;
const MAX_WAIT_MS = 100;

/** Bytes that were emitted to the socket and that the network has not taken yet. */
export function pressureOf(socket: PressureSource): number {
  const { writeBuffer, transport } = socket.conn as EngineConnection;
  const waiting = (writeBuffer ?? []).reduce((sum, packet) => sum + sizeOf(packet.data), 0);
  return waiting + (transport?.socket?.bufferedAmount ?? 0);
}

function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  return data instanceof Uint8Array ? data.byteLength : 0;
}

/** Settles when there is room for another page, or the socket is gone. */
export async function whenRelieved(socket: PressureSource): Promise<void> {
  for (
    let waitMs = FIRST_WAIT_MS;
    socket.connected && pressureOf(socket) > ROOM_FOR_A_PAGE_BYTES;
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)
  ) {
    await sleep(waitMs);
  }
}
