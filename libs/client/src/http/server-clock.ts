/** A difference below this is the second's resolution of the Date header and the way here, not a wrong clock. */
const NOTABLE_MS = 2_500;

let offsetMs = 0;

/** Learns from an answer how far this computer's clock is from the server's. */
export function noteServerDate(header: string | null): void {
  const serverMs = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(serverMs)) return;
  const difference = serverMs + 500 - Date.now();
  offsetMs = Math.abs(difference) < NOTABLE_MS ? 0 : difference;
}

/** Now, on the server's clock: what event times are compared with. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}
