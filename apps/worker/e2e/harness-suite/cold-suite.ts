import { limits, startFaultStack, type FaultStack } from '../support/fault-stack';
import { playScenario } from './play-scenario';
import type { TestedHarness } from './scenario';
import { ScenarioPlayer } from './scenario-player';
import { SCENARIOS } from './scenarios';

/** All scenarios, each in a session whose processes end with their turn. */
export function describeColdSuite(harness: TestedHarness): void {
  describe(`the harness ${harness.name}`, () => {
    let product: FaultStack;
    const shown = SCENARIOS.filter(({ name }) => !harness.cannotShow[name]);
    const player = new ScenarioPlayer(shown, (scenario) => playScenario(product, harness, scenario));

    beforeAll(async () => {
      product = await startFaultStack({
        env: {
          CHIRALITY_PARKED_MS: '0',
          CHIRALITY_WORKER_SLOTS: '8',
          ...limits({ silenceMs: 12_000, unattendedMs: 8_000 }),
        },
      });
    });
    afterAll(async () => {
      await player.settled();
      await product?.stop();
    });

    it.each(shown.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) =>
      player.outcome(scenario),
    );

    // Counted as skipped, never as passed.
    for (const [name, fact] of Object.entries(harness.cannotShow)) it.todo(`${name}: ${fact}`);

    it('left nothing unexpected in the worker’s log', () => {
      const unexpected = [
        'worker.unhandled_rejection',
        'worker.uncaught_exception',
        'turn.crashed',
        'turn.settlement_refused',
        'turn.not_settled',
        'turn.event_not_stored',
        'turn.change_not_stored',
        'turn.failed_to_run',
        'turn.raw_log_failed',
        'turn.cost_differs',
      ];
      expect(product.stack.workers[0]?.lines.filter(({ msg }) => unexpected.includes(String(msg)))).toEqual([]);
    });
  });
}
