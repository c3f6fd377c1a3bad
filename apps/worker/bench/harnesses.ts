import { readFileSync } from 'node:fs';
import type { HarnessName } from '@chirality/contracts';
import type { Stack } from '@chirality/testing';
import type { BareClaude } from './bare-claude';
import type { Product } from './product';
import { figureRow, ratioRow, type Row } from './report';
import { median, pairedRatios } from './statistics';
import { measureThreadEnd } from './thread-end';

const ANSWER = '[[text "word word word word word" by=word delay=10]]';
const HARNESSES: readonly HarnessName[] = ['claude-code', 'agent-sdk'];
const AIMS = { cold: 1.6, ahead: 0.4, parked: 0.2 } as const;
type Start = keyof typeof AIMS;

/** Processes of one harness that wait at the same time while the worker's memory is read. */
const WAITING = 4;

/**
 * First text beside the bare program, with each harness in the same rounds, and what a thread of the SDK costs in
 * memory.
 */
export async function measureHarnesses(
  bare: BareClaude,
  { product, stack, rounds }: { product: Product; stack: Stack; rounds: number },
): Promise<Row[]> {
  const bareMs: number[] = [];
  const ms = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    const first = await bare.run(ANSWER);
    if (round > 0) bareMs.push(first.firstTextMs);
    for (const harness of HARNESSES) {
      const [ready, opened] = [await product.openSessionWithFiles(harness), await product.openSessionAhead(harness)];
      const runs = {
        ahead: await product.run(opened, ANSWER),
        cold: await product.run(ready, ANSWER),
        parked: await product.run(ready, ANSWER),
      };
      for (const [start, run] of Object.entries(runs)) {
        if (run.text !== first.text || run.process !== start)
          throw new Error(`the run is void: ${run.process} in place of ${start}, ${run.text}`);
        // The first round warms caches and is not counted.
        if (round > 0) ms.set(`${harness} ${start}`, [...(ms.get(`${harness} ${start}`) ?? []), run.firstTextMs]);
      }
      await product.closeSessions(ready, opened);
    }
  }
  const row = (harness: HarnessName, start: Start) => {
    const ours = ms.get(`${harness} ${start}`) ?? [];
    const detail = `${median(ours).toFixed(0)} ms : ${median(bareMs).toFixed(0)} ms`;
    const aim = harness === 'agent-sdk' ? { most: AIMS[start] } : {};
    return ratioRow(`${harness}: first text ÷ bare, ${start}`, pairedRatios(ours, bareMs), aim, detail);
  };
  const starts: readonly Start[] = ['cold', 'ahead', 'parked'];
  const perThread = await threadMegabytes(product, stack);
  return [
    ...HARNESSES.flatMap((harness) => starts.map((start) => row(harness, start))),
    figureRow(
      'memory of a thread of the SDK',
      perThread,
      'MB',
      { most: 60 },
      `${WAITING} that wait, beside ${WAITING} without`,
    ),
    await measureThreadEnd(10),
  ];
}

/** What the worker itself holds more while processes of the second harness wait than while those of the first do. */
async function threadMegabytes(product: Product, stack: Stack): Promise<number> {
  const held: number[] = [];
  for (const harness of HARNESSES) {
    const sessions: string[] = [];
    for (let n = 0; n < WAITING; n += 1) {
      const session = await product.openSession(harness);
      await product.run(session, ANSWER);
      sessions.push(session);
    }
    held.push(residentMegabytes(stack.workers[0]?.pid));
    await product.closeSessions(...sessions);
  }
  return ((held[1] ?? Number.NaN) - (held[0] ?? Number.NaN)) / WAITING;
}

function residentMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}
