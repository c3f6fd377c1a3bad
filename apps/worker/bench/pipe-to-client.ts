import type { Envelope } from '@chirality/contracts';
import type { Product } from './product';
import { figureRow, type Row } from './report';
import { median, quantile } from './statistics';

const WORDS = 500;

/**
 * From the moment at which an event was made of a line of the program's output to its arrival at a Socket.IO client, at
 * about 100 events a second. The event's own time stamp counts whole milliseconds, cut off, so this is up to one too long.
 */
export async function measurePipeToClient(product: Product): Promise<Row[]> {
  const session = await product.openSession();
  await product.run(session, '[[text Warm.]]');
  const delays: number[] = [];
  const note = ({ kind, ts }: Envelope, receivedAt: number) => {
    if (kind === 'chat:delta') delays.push(performance.timeOrigin + receivedAt - Date.parse(ts));
  };
  const startedAt = performance.now();
  await product.run(session, `[[slow words=${WORDS} delay=10]]`, note);
  const perSecond = (delays.length * 1_000) / (performance.now() - startedAt);
  const detail = `${delays.length} events, ${perSecond.toFixed(0)} a second, a Socket.IO client`;
  return [
    figureRow('pipe line → client event, p50', median(delays), 'ms', { most: 5 }, detail),
    figureRow('pipe line → client event, p99', quantile(delays, 0.99), 'ms', { most: 25 }, detail),
  ];
}
