import { plural } from '../format/count';

const RETRY = /[;,.]?\s*try again in (?:a moment|\d+ s(?:econds?)?)\.$/i;

/** A refusal's sentence without what it says of trying again, which is counted down beside it. */
export function withoutRetry(detail: string): string {
  return detail.replace(RETRY, '.');
}

/** When the same request may be sent again: `Try again in 20 seconds.` */
export function retrySentence(leftMs: number): string {
  if (leftMs <= 0) return 'You can try again now.';
  const seconds = Math.ceil(leftMs / 1_000);
  return seconds < 100
    ? `Try again in ${plural(seconds, 'second')}.`
    : `Try again in ${plural(Math.ceil(seconds / 60), 'minute')}.`;
}
