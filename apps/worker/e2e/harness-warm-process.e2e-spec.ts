import { TESTED_HARNESSES } from './harness-suite/harnesses';
import { playOnWaitingProcess } from './harness-suite/play-scenario';
import { ScenarioPlayer } from './harness-suite/scenario-player';
import type { Scenario } from './harness-suite/scenario';
import { conversations } from './harness-suite/scenarios/conversations';
import { interrupts } from './harness-suite/scenarios/interrupts';
import { modelFailures } from './harness-suite/scenarios/model-failures';
import { modes } from './harness-suite/scenarios/modes';
import { permissions } from './harness-suite/scenarios/permissions';
import { limits, startFaultStack, type FaultStack } from './support/fault-stack';

jest.setTimeout(120_000);

/**
 * Those whose outcome a process with a past could spoil; a pipeline and a fresh turn never have one, and a first turn
 * says of itself that it is one.
 */
const fitsOne = ({ session, turns, patient }: Scenario): boolean =>
  !patient &&
  session?.mode !== 'pipeline' &&
  typeof turns[0]?.says === 'string' &&
  turns.every(({ options }) => options?.context !== 'fresh');

describe.each(TESTED_HARNESSES)('the harness $name on a process that served a turn before', (harness) => {
  let product: FaultStack;
  const shown = [...permissions, ...modes, ...interrupts, ...conversations, ...modelFailures.slice(0, 3)].filter(
    (scenario) => fitsOne(scenario) && !harness.cannotShow[scenario.name],
  );
  const player = new ScenarioPlayer(shown, (scenario) => playOnWaitingProcess(product, harness, scenario));

  beforeAll(async () => {
    product = await startFaultStack({
      env: {
        CHIRALITY_PARKED_MS: '60000',
        CHIRALITY_WORKER_SLOTS: '3',
        ...limits({ silenceMs: 12_000, unattendedMs: 8_000, parkedStartMs: 10_000 }),
      },
    });
  });
  afterAll(async () => {
    await player.settled();
    await product?.stop();
  });

  it.each(shown.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => player.outcome(scenario));
});
