import type { Scenario } from './scenario';

/**
 * How far ahead of the one that is looked at others are begun: those that mostly wait much earlier than those that
 * work.
 */
const AHEAD = { brisk: 1, patient: 16 };

/** Plays a list of scenarios in its order, some at a time, each once; `outcome` waits for one. */
export class ScenarioPlayer {
  private readonly playing = new Map<Scenario, Promise<void>>();

  constructor(
    private readonly scenarios: readonly Scenario[],
    private readonly play: (scenario: Scenario) => Promise<void>,
  ) {}

  outcome(scenario: Scenario): Promise<void> {
    const at = this.scenarios.indexOf(scenario);
    const following = this.scenarios.slice(at);
    const begin = [
      ...following.filter(({ patient }) => !patient).slice(0, 1 + AHEAD.brisk),
      ...following.filter(({ patient }) => patient).slice(0, AHEAD.patient),
    ];
    for (const one of [scenario, ...begin]) this.begin(one);
    return this.playing.get(scenario) as Promise<void>;
  }

  /** Waits until nothing is playing. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.playing.values());
  }

  private begin(scenario: Scenario): void {
    if (this.playing.has(scenario)) return;
    const playing = this.play(scenario);
    // Its caller receives it; until then it is not an unhandled rejection.
    playing.catch(() => undefined);
    this.playing.set(scenario, playing);
  }
}
