import type { Readiness } from '@chirality/contracts';

type BrokenPart = { name: string; isDown: boolean; sentence: string };

/** What a part's trouble means for the people here; what is wrong follows. */
const MEANINGS: Record<string, string> = {
  database: 'The database cannot be reached, so nothing can be read or changed',
  redis: 'The queue is not well; turns still run, news may come a second late',
  workers: 'No turn can run now',
  server: 'The server is not ready',
};

function sentenceOf(name: string, detail: string | undefined): string {
  const meaning = MEANINGS[name] ?? `A part of the service (${name}) is not well`;
  return detail === undefined || detail === '' ? `${meaning}.` : `${meaning}: ${detail}`;
}

/** The parts of the service that are not well, worst first, as sentences. */
export function brokenParts(readiness: Readiness | null): BrokenPart[] {
  return Object.entries(readiness?.checks ?? {})
    .filter(([, check]) => check.status !== 'ok')
    .map(([name, check]) => ({
      name,
      isDown: check.status === 'unavailable' || name === 'workers',
      sentence: sentenceOf(name, check.detail),
    }))
    .sort((a, b) => Number(b.isDown) - Number(a.isDown));
}
