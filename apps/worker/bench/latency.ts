import type { Stack } from '@chirality/testing';
import type { BareClaude, BareRun } from './bare-claude';
import { requestAndCommitMs } from './floors';
import type { Product, ProductRun } from './product';
import { figureRow, ratioRow, type Row } from './report';
import { median, pairedRatios, quantile } from './statistics';

const ANSWER = '[[text "word word word word word word word word word word" by=word delay=10]]';

type Pair = {
  bare: BareRun;
  again: BareRun;
  asked: BareRun;
  fresh: ProductRun;
  cold: ProductRun;
  ahead: ProductRun;
  parked: ProductRun;
  stored: { cold: number; parked: number };
};

/**
 * Send → first text and final, and processor time of a turn, beside the bare program: on a session of which nothing is
 * there, on one whose workspace is, with a process started ahead, and with the one of the turn before.
 */
export async function measureLatency(
  bare: BareClaude,
  { product, stack, rounds }: { product: Product; stack: Stack; rounds: number },
): Promise<Row[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [session, ready, opened] = [
      await product.openSession(),
      await product.openSessionWithFiles(),
      await product.openSessionAhead(),
    ];
    const first = await bare.run(ANSWER);
    const cold = await product.run(ready, ANSWER);
    const coldStored = await product.cpuSecondsWithStoring(cold);
    const again = await bare.run(ANSWER);
    const asked = await bare.run(ANSWER, { callback: true });
    const parked = await product.run(ready, ANSWER);
    const stored = { cold: coldStored, parked: await product.cpuSecondsWithStoring(parked) };
    const pair = {
      bare: first,
      again,
      asked,
      cold,
      parked,
      stored,
      ahead: await product.run(opened, ANSWER),
      fresh: await product.run(session, ANSWER),
    };
    check(pair);
    await product.closeSessions(session, ready, opened);
    // The first round warms caches of the file system and is not counted.
    if (round > 0) pairs.push(pair);
  }
  const of = (pick: (pair: Pair) => number) => pairs.map(pick);
  const bareFirst = of(({ bare: run }) => run.firstTextMs);
  const bareCpu = of(({ bare: run }) => run.cpuSeconds);
  const firstText = (what: 'fresh' | 'cold' | 'ahead' | 'parked', aim: { most?: number }) => {
    const ours = of((pair) => pair[what].firstTextMs);
    return ratioRow(
      `first text ÷ bare: ${NAMES[what]}`,
      pairedRatios(ours, bareFirst),
      aim,
      `${median(ours).toFixed(0)} ms : ${median(bareFirst).toFixed(0)} ms`,
    );
  };
  const cpu = (what: 'cold' | 'parked', aim: { most?: number }) => {
    const ours = of((pair) => pair[what].cpuSeconds);
    return ratioRow(
      `CPU of a turn ÷ bare: ${what}`,
      pairedRatios(ours, bareCpu),
      aim,
      `${median(ours).toFixed(2)} s : ${median(bareCpu).toFixed(2)} s`,
    );
  };
  const accepted = pairs.flatMap((pair) =>
    [pair.fresh, pair.cold, pair.ahead, pair.parked].map(({ acceptedMs }) => acceptedMs),
  );
  const floor = await requestAndCommitMs(stack);
  return [
    ratioRow(
      'bare ÷ bare, first text (A/A)',
      pairedRatios(
        of((pair) => pair.again.firstTextMs),
        bareFirst,
      ),
      {},
      `${pairs.length} pairs`,
    ),
    ratioRow(
      'first text ÷ bare: bare with our callback, below which cold cannot be',
      pairedRatios(
        of(({ asked }) => asked.firstTextMs),
        bareFirst,
      ),
      {},
      '',
    ),
    firstText('cold', { most: 1.05 }),
    firstText('fresh', {}),
    firstText('ahead', { most: 0.35 }),
    firstText('parked', { most: 0.15 }),
    ratioRow(
      'final ÷ bare: cold',
      pairedRatios(
        of((pair) => pair.cold.finalMs),
        of((pair) => pair.bare.finalMs),
      ),
      { most: 1.05 },
      '',
    ),
    ratioRow(
      'CPU of a turn ÷ bare: bare with our callback',
      pairedRatios(
        of(({ asked }) => asked.cpuSeconds),
        bareCpu,
      ),
      {},
      '',
    ),
    cpu('cold', { most: 1.15 }),
    cpu('parked', { most: 0.25 }),
    ...(['cold', 'parked'] as const).map((what) => {
      const ours = of(({ stored }) => stored[what]);
      return ratioRow(
        `CPU of a turn and of storing it ÷ bare: ${what}`,
        pairedRatios(ours, bareCpu),
        {},
        `${median(ours).toFixed(2)} s : ${median(bareCpu).toFixed(2)} s`,
      );
    }),
    figureRow('an empty request and one commit, p50', median(floor), 'ms', {}, 'below which POST → 202 cannot be'),
    figureRow('an empty request and one commit, p99', quantile(floor, 0.99), 'ms', {}, `of ${floor.length}`),
    figureRow('POST → 202, durable and queued, p50', median(accepted), 'ms', { most: 6 }, `of ${accepted.length}`),
    figureRow(
      'POST → 202, durable and queued, p99',
      quantile(accepted, 0.99),
      'ms',
      { most: 25 },
      `of ${accepted.length}`,
    ),
  ];
}

const NAMES = { cold: 'cold', fresh: 'cold, and the workspace made in it', ahead: 'started ahead', parked: 'parked' };

/** Figures of runs that did not do the same work say nothing. */
function check({ bare, again, asked, fresh, cold, ahead, parked }: Pair): void {
  const texts = new Set([bare, again, asked, fresh, cold, ahead, parked].map(({ text }) => text));
  if (texts.size !== 1) throw new Error(`the answers differ, so the run is void: ${[...texts].join(' | ')}`);
  const processes = [fresh, cold, ahead, parked].map((run) => run.process).join(' ');
  if (processes !== 'cold cold ahead parked') throw new Error(`the run is void: ${processes}`);
}
