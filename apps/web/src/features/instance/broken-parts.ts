import type { Readiness } from '@chirality/contracts';

export type BrokenPart = { name: string; isDown: boolean; sentence: string };

const NAMES: Record<string, string> = {
  database: 'The database',
  postgres: 'The database',
  redis: 'The queue',
  queue: 'The queue',
  workers: 'The workers',
  worker: 'The workers',
  sandbox: 'The sandbox',
  storage: 'The file store',
  blobs: 'The file store',
  disk: 'The disk',
};

/** The parts of the service that are not well, worst first, as sentences. The sandbox has a banner of its own. */
export function brokenParts(readiness: Readiness | null): BrokenPart[] {
  return Object.entries(readiness?.checks ?? {})
    .filter(([name, check]) => check.status !== 'ok' && name !== 'sandbox')
    .map(([name, check]) => {
      const isDown = check.status === 'unavailable';
      const subject = NAMES[name] ?? `“${name}”`;
      const state = `${subject} ${isDown ? 'cannot be reached' : 'is not well'}`;
      return { name, isDown, sentence: check.detail === undefined || check.detail === '' ? `${state}.` : `${state}: ${check.detail}` };
    })
    .sort((a, b) => Number(b.isDown) - Number(a.isDown));
}
