import { assertTransitionTable } from '@chirality/domain';
import { Random, seedFrom } from '@chirality/testing';
import { MisfortuneActor, PersonActor, WorkerActor, type Testimony } from './actors';
import { assertLaws } from './laws';
import { LOST, MemoryStore } from './memory-store';

const INTERLEAVINGS = Number(process.env['CHIRALITY_TEST_INTERLEAVINGS'] ?? 34_000);

/** One random order of acts, then an end without disturbance; answers how many acts it had. */
async function runInterleaving(seed: number): Promise<number> {
  const random = new Random(seed);
  const store = new MemoryStore(random, 0.05);
  const told: Testimony = { written: [], refused: [], accepted: [] };
  const workers = [new WorkerActor('a', store, random, told), new WorkerActor('b', store, random, told)];
  const actors = [
    ...workers,
    ...workers,
    new PersonActor(store, random, told, 3),
    new MisfortuneActor(store, random, workers),
  ];
  const steps = 10 + random.below(40);
  for (let step = 0; step < steps; step++) await random.pick(actors).step().catch(onlyLostAnswers);
  // Nothing disturbs now, and every lease is renewed: all turns must end.
  store.calm();
  for (let round = 0; round < 8; round++) {
    for (const worker of workers) await worker.finish();
    await store.reconcile();
  }
  assertLaws(await store.turns(), await store.events(), told);
  return steps;
}

function onlyLostAnswers(error: Error): void {
  if (error.message !== LOST) throw error;
}

describe('turns under random interleavings', () => {
  test(`the laws hold for ${INTERLEAVINGS} orders of claim, event, result, exit, interrupt, lost lease and lost answer`, async () => {
    assertTransitionTable();
    const first = seedFrom('CHIRALITY_TEST_SEED');
    let steps = 0;
    for (let seed = first; seed < first + INTERLEAVINGS; seed++) {
      try {
        steps += await runInterleaving(seed);
      } catch (error) {
        throw new Error(`CHIRALITY_TEST_SEED=${seed} CHIRALITY_TEST_INTERLEAVINGS=1: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    process.stdout.write(`seeds ${first}..${first + INTERLEAVINGS - 1}, ${steps} steps\n`);
    expect(steps).toBeGreaterThanOrEqual(INTERLEAVINGS * 10);
  }, 120_000);
});
