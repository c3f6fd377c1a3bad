import type { BareClaude } from './bare-claude';
import type { Product } from './product';
import { ratioRow, type Row } from './report';

const ANSWER = '[[text Done.]]';

/** Turns a second, so many at once: first turns of sessions that are there beside bare starts, and follow-up turns on parked processes. */
export async function measureThroughput(bare: BareClaude, product: Product, parallel: number, turnsEach: number): Promise<Row[]> {
  const lanes = Array.from({ length: parallel }, (_, lane) => lane);
  const bareRate = await rate(parallel * turnsEach, () => Promise.all(lanes.map(() => repeat(turnsEach, () => bare.run(ANSWER)))));
  const waiting: string[] = [];
  for (let i = 0; i < parallel * turnsEach; i += 1) waiting.push(await product.openSessionWithFiles());
  const fresh = [...waiting];
  const coldRate = await rate(parallel * turnsEach, () => Promise.all(lanes.map(() => repeat(turnsEach, () => product.run(waiting.pop() ?? '', ANSWER)))));
  await product.closeSessions(...fresh);
  const sessions = await Promise.all(lanes.map(() => product.openSession()));
  await Promise.all(sessions.map((session) => product.run(session, ANSWER)));
  const followUps = turnsEach * 5;
  const parkedRate = await rate(parallel * followUps, () => Promise.all(sessions.map((session) => repeat(followUps, () => product.run(session, ANSWER)))));
  await product.closeSessions(...sessions);
  const detail = (ours: number) => `${ours.toFixed(2)} : ${bareRate.toFixed(2)} turns/s`;
  return [
    ratioRow(`turns/s ÷ bare, ${parallel} at once: cold`, [coldRate / bareRate], { least: 0.92 }, detail(coldRate)),
    ratioRow(`turns/s ÷ bare, ${parallel} at once: follow-up`, [parkedRate / bareRate], { least: 5 }, detail(parkedRate)),
  ];
}

async function repeat(times: number, act: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i += 1) await act();
}

async function rate(turns: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (turns * 1_000) / (performance.now() - startedAt);
}
