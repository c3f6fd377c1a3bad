import type { BareClaude, BareRun } from './bare-claude';
import type { Product, ProductRun } from './product';
import { figureRow, ratioRow, type Row } from './report';
import { median, pairedRatios, quantile } from './statistics';

const ANSWER = '[[text "word word word word word word word word word word" by=word delay=10]]';

type Pair = { bare: BareRun; again: BareRun; cold: ProductRun; parked: ProductRun };

/** Send → first text and final, and processor time of a turn, cold and parked, beside the bare program. */
export async function measureLatency(bare: BareClaude, product: Product, rounds: number): Promise<Row[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const session = await product.openSession();
    const pair = { bare: await bare.run(ANSWER), cold: await product.run(session, ANSWER), again: await bare.run(ANSWER), parked: await product.run(session, ANSWER) };
    check(pair);
    // The first round warms caches of the file system and is not counted.
    if (round > 0) pairs.push(pair);
  }
  const of = (pick: (pair: Pair) => number) => pairs.map(pick);
  const bareFirst = of(({ bare: run }) => run.firstTextMs);
  const detail = (values: number[], unit: string) => `${median(values).toFixed(unit === 's' ? 2 : 0)} ${unit} : ${median(unit === 's' ? of(({ bare: run }) => run.cpuSeconds) : bareFirst).toFixed(unit === 's' ? 2 : 0)} ${unit}`;
  const cold = of((pair) => pair.cold.firstTextMs);
  const parked = of((pair) => pair.parked.firstTextMs);
  const coldCpu = of((pair) => pair.cold.cpuSeconds);
  const parkedCpu = of((pair) => pair.parked.cpuSeconds);
  const bareCpu = of(({ bare: run }) => run.cpuSeconds);
  const accepted = pairs.flatMap((pair) => [pair.cold.acceptedMs, pair.parked.acceptedMs]);
  return [
    ratioRow('bare ÷ bare, first text (A/A)', pairedRatios(of((pair) => pair.again.firstTextMs), bareFirst), {}, `${pairs.length} pairs`),
    ratioRow('first text ÷ bare: cold', pairedRatios(cold, bareFirst), { most: 1.05 }, detail(cold, 'ms')),
    ratioRow('first text ÷ bare: parked', pairedRatios(parked, bareFirst), { most: 0.15 }, detail(parked, 'ms')),
    ratioRow('final ÷ bare: cold', pairedRatios(of((pair) => pair.cold.finalMs), of((pair) => pair.bare.finalMs)), { most: 1.05 }, ''),
    ratioRow('CPU of a turn ÷ bare: cold', pairedRatios(coldCpu, bareCpu), { most: 1.15 }, detail(coldCpu, 's')),
    ratioRow('CPU of a turn ÷ bare: parked', pairedRatios(parkedCpu, bareCpu), { most: 0.25 }, detail(parkedCpu, 's')),
    figureRow('POST → 202, durable and queued, p50', median(accepted), 'ms', { most: 6 }, `p99 ${quantile(accepted, 0.99).toFixed(1)} ms of ${accepted.length}`),
  ];
}

/** Figures of runs that did not do the same work say nothing. */
function check({ bare, again, cold, parked }: Pair): void {
  const texts = new Set([bare, again, cold, parked].map(({ text }) => text));
  if (texts.size !== 1) throw new Error(`the answers differ, so the run is void: ${[...texts].join(' | ')}`);
  if (cold.process !== 'cold' || parked.process !== 'parked') throw new Error(`the run is void: ${cold.process}, ${parked.process}`);
}
