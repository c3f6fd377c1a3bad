import type { BareClaude } from './bare-claude';
import type { Product } from './product';
import { ratioRow, type Row } from './report';
import { median } from './statistics';

const ANSWER = '[[text Done.]]';
const TURNS_EACH = 2;
const FOLLOW_UPS_EACH = 15;

type Rates = { bare: number; cold: number; followUp: number };

/**
 * Turns a second, so many at once: first turns of sessions that are there beside bare starts, and follow-up turns on
 * parked processes. Paired: each round measures all three, one after another.
 */
export async function measureThroughput(
  bare: BareClaude,
  product: Product,
  parallel: number,
  rounds: number,
): Promise<Row[]> {
  const lanes = Array.from({ length: parallel }, (_, lane) => lane);
  const measured: Rates[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bareRate = await rate(lanes, TURNS_EACH, () => bare.run(ANSWER));
    const waiting: string[] = [];
    for (let i = 0; i < parallel * TURNS_EACH; i += 1) waiting.push(await product.openSessionWithFiles());
    const fresh = [...waiting];
    const cold = await rate(lanes, TURNS_EACH, () => product.run(waiting.pop() ?? '', ANSWER));
    await product.closeSessions(...fresh);
    const sessions = await Promise.all(lanes.map(() => product.openSession()));
    await Promise.all(sessions.map((session) => product.run(session, ANSWER)));
    const followUp = await rate(lanes, FOLLOW_UPS_EACH, async (lane) => {
      const { process } = await product.run(sessions[lane] ?? '', ANSWER);
      if (process !== 'parked') throw new Error(`the run is void: a follow-up turn had a process that was ${process}`);
    });
    await product.closeSessions(...sessions);
    // The first round warms caches and is not counted.
    if (round > 0) measured.push({ bare: bareRate, cold, followUp });
  }
  const row = (name: string, pick: (rates: Rates) => number, aim: { least: number }) =>
    ratioRow(
      `turns/s ÷ bare, ${parallel} at once: ${name}`,
      measured.map((rates) => pick(rates) / rates.bare),
      aim,
      `${median(measured.map(pick)).toFixed(2)} : ${median(measured.map(({ bare: of }) => of)).toFixed(2)} turns/s`,
    );
  return [row('cold', ({ cold }) => cold, { least: 0.92 }), row('follow-up', ({ followUp }) => followUp, { least: 5 })];
}

/** `turnsEach` turns in each lane, the lanes side by side; turns a second of all together. */
async function rate(
  lanes: readonly number[],
  turnsEach: number,
  turn: (lane: number) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    lanes.map(async (lane) => {
      for (let i = 0; i < turnsEach; i += 1) await turn(lane);
    }),
  );
  return (lanes.length * turnsEach * 1_000) / (performance.now() - startedAt);
}
