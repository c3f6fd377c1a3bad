import { limits, startFaultStack, type FaultStack } from '../support/fault-stack';
import { playOnWaitingProcess } from './play-scenario';
import type { Scenario, TestedHarness } from './scenario';
import { ScenarioPlayer } from './scenario-player';
import { conversations } from './scenarios/conversations';
import { interrupts } from './scenarios/interrupts';
import { modelFailures } from './scenarios/model-failures';
import { modes } from './scenarios/modes';
import { permissions } from './scenarios/permissions';

/** The subjects whose outcome the past of a process could spoil. */
const ON_PARKED = [...permissions, ...modes, ...interrupts, ...conversations, ...modelFailures.slice(0, 3)];
/** Of each subject some: what was started ahead differs from a cold process in how it came to its first turn alone. */
const ON_PREWARMED = [permissions, modes, interrupts, conversations].flatMap((subject) =>
  subject.filter((scenario) => whyNotWarm(scenario) === null && whyNotAhead(scenario) === null).slice(0, 3),
);

/** Why a process that waits cannot serve it; null where it can. */
function whyNotWarm({ session, turns, patient }: Scenario): string | null {
  if (session?.mode === 'pipeline') return 'no process waits for a pipeline’s next turn';
  if (turns.some(({ options }) => options?.context === 'fresh')) return 'a fresh turn never gets a process that waited';
  if (typeof turns[0]?.says !== 'string') return 'it begins with an act that ends the process';
  return patient ? 'it waits for a limit, which is the same in any process' : null;
}

/** The same of one that was started before its first turn. */
function whyNotAhead({ turns }: Scenario): string | null {
  const [first] = turns;
  return first?.options || first?.before || first?.outputSchema ? 'its first turn asks for another process' : null;
}

/** Scenarios on a process that waits, because it served a turn before or was started before its first. */
export function describeWarmSuite(harness: TestedHarness): void {
  describe(`the harness ${harness.name} on a process that waits`, () => {
    let product: FaultStack;

    beforeAll(async () => {
      product = await startFaultStack({
        env: {
          CHIRALITY_PARKED_MS: '60000',
          CHIRALITY_WORKER_SLOTS: '3',
          ...limits({ silenceMs: 12_000, unattendedMs: 8_000, parkedStartMs: 10_000 }),
        },
      });
    });
    afterAll(() => product?.stop());

    describe.each([
      ['having served a turn', 'parked', ON_PARKED],
      ['started ahead of its first turn', 'ahead', ON_PREWARMED],
    ] as const)('%s', (_how, origin, scenarios) => {
      const reasonOf = (scenario: Scenario) => harness.cannotShow[scenario.name] ?? whyNotWarm(scenario);
      const shown = scenarios.filter((scenario) => reasonOf(scenario) === null);
      const player = new ScenarioPlayer(shown, (scenario) => playOnWaitingProcess(product, harness, scenario, origin));
      afterAll(() => player.settled());

      it.each(shown.map((scenario) => [scenario.name, scenario] as const))('%s', (_name, scenario) =>
        player.outcome(scenario),
      );

      // Counted as skipped, never as passed.
      for (const scenario of scenarios.filter((one) => !shown.includes(one)))
        it.todo(`${scenario.name}: ${reasonOf(scenario)}`);
    });
  });
}
