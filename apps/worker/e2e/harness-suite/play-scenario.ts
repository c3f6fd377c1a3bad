import type { Turn } from '@chirality/contracts';
import type { FaultStack } from '../support/fault-stack';
import { attend } from '../support/people';
import { untilGone, untilStarted } from '../support/process-scan';
import { WatchedSession } from '../support/watched-session';
import { expectLawfulTurn } from './laws';
import { LiveTurn } from './live-turn';
import type { Scenario, Step, TestedHarness } from './scenario';
import { SeenTurn } from './seen-turn';

const TURN_LIMIT_MS = 90_000;

/** Plays a scenario in a separate session, with no process left of it; rejects with what was not as it should be. */
export async function playScenario(product: FaultStack, harness: TestedHarness, scenario: Scenario): Promise<void> {
  const watched = await WatchedSession.open(product.person, product.projectId, {
    harness: harness.name,
    ...scenario.session,
  });
  try {
    for (const step of scenario.turns) await playStep(product, watched, scenario, step);
    await untilGone(watched.id);
    await watched.expectLawful();
  } finally {
    watched.close();
  }
}

/** The same in a session whose process waits: it has served a turn already, or was started ahead of the first. */
export async function playOnWaitingProcess(
  product: FaultStack,
  harness: TestedHarness,
  scenario: Scenario,
  origin: 'parked' | 'ahead',
): Promise<void> {
  const watched = await WatchedSession.open(product.person, product.projectId, {
    harness: harness.name,
    ...scenario.session,
  });
  let leave: () => void = () => undefined;
  try {
    if (origin === 'ahead') {
      leave = await attend(product.person, watched.id);
      await untilStarted(watched.id);
    } else
      expect(
        await watched.end(await watched.send('[[text Warm now.]]', scenario.turns[0]?.options), TURN_LIMIT_MS),
      ).toMatchObject({ status: 'completed' });
    for (const step of scenario.turns) await playStep(product, watched, scenario, step);
    const first = watched.live.filter(({ kind }) => kind === 'turn:queued')[origin === 'ahead' ? 0 : 1]?.turn;
    const [start] = watched.live.filter(({ kind, turn }) => kind === 'turn:start' && turn === first);
    // One that was interrupted before it began had no process.
    if (start) expect(start.payload).toMatchObject({ process: origin });
    await watched.expectLawful();
  } finally {
    leave();
    watched.close();
    // Its process makes room for those of other scenarios.
    await product.person.call('DELETE', `/v1/sessions/${watched.id}`);
  }
}

async function playStep(product: FaultStack, watched: WatchedSession, scenario: Scenario, step: Step): Promise<void> {
  await step.before?.({ product, watched });
  const sent = await send(watched, step);
  await step.meanwhile?.(new LiveTurn(watched, sent, product.stack.model));
  const turn = await watched.end(sent, TURN_LIMIT_MS);
  const seen = new SeenTurn(product, watched, turn);
  const { code, ...ends } = step.ends;
  if (turn.error && code === undefined)
    throw new Error(`the turn failed with ${turn.error.code}: ${turn.error.detail}`);
  expect({ ...turn, said: turn.error?.detail, code: turn.error?.code }).toMatchObject({ ...ends, code });
  expectInOrder(seen, step);
  await step.shows?.(seen);
  await expectLawfulTurn(seen, scenario);
}

async function send(watched: WatchedSession, { says, options, outputSchema }: Step): Promise<Turn> {
  if (typeof says === 'string') return watched.send(says, options, outputSchema);
  const answer = await watched.person.call<{ turn: Turn }>('POST', `/v1/sessions/${watched.id}/${says.act}`, {});
  expect(answer.status).toBe(202);
  return answer.body.turn;
}

function expectInOrder(seen: SeenTurn, { inOrder = [] }: Step): void {
  let at = 0;
  const found = inOrder.filter((kind) => {
    const next = seen.kinds.indexOf(kind, at);
    if (next >= 0) at = next + 1;
    return next >= 0;
  });
  expect({ found, seen: seen.kinds }).toEqual({ found: inOrder, seen: seen.kinds });
}
