import type { Request } from 'express';

const MAX_AGENT_CHARS = 300;

/** Where a request comes from, as far as it says so: for limits, for the audit log and for the list of signed-in devices. */
export type Client = { address: string | null; userAgent: string | null; deviceMark: string | null };

export function clientOf(request: Request, deviceMark: string | null): Client {
  const agent = request.headers['user-agent'];
  return {
    address: request.ip ?? null,
    userAgent: agent === undefined ? null : agent.slice(0, MAX_AGENT_CHARS),
    deviceMark,
  };
}
