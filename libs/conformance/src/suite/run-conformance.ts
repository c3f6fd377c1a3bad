import type { CreatedToken } from '@chirality/contracts';
import { openDriver } from '../driver/open-driver';
import { TRANSPORTS, type Ability, type Driver, type Target, type Transport } from '../driver/driver';
import { RestDriver } from '../driver/rest.driver';
import { RestCalls } from '../driver/rest-calls';
import { CONNECTION_SCENARIOS } from '../scenario/connection.scenarios';
import { PERMISSION_SCENARIOS } from '../scenario/permission.scenarios';
import { PROMPTS, type Prompts, type Scenario, type TokenDriver } from '../scenario/scenario';
import { TOKEN_SCENARIOS } from '../scenario/token.scenarios';
import { TURN_SCENARIOS } from '../scenario/turn.scenarios';

/** Grows with the protocol: its numbers are those of the release whose laws these are. */
export const CONFORMANCE_VERSION = '1.0';

export const SCENARIOS: readonly Scenario[] = [
  ...CONNECTION_SCENARIOS,
  ...TURN_SCENARIOS,
  ...PERMISSION_SCENARIOS,
  ...TOKEN_SCENARIOS,
];

export type ConformanceOptions = {
  url: string;
  /** Of the class `human`, for a whole team, and it may create tokens: some scenarios need one that ends. */
  token: string;
  teamId: string;
  projectId: string;
  transports?: readonly Transport[];
  /** Names of scenarios; all where it is absent. */
  only?: readonly string[];
  prompts?: Partial<Prompts>;
  /** A session of another team, to see that it does not differ from one that does not exist. */
  foreignSession?: string;
  /** Hears each result when it is known. */
  onResult?: (result: Result) => void;
};

export type Result = {
  scenario: string;
  transport: Transport;
  /** `not offered`: the transport has no such act. */
  verdict: 'passed' | 'failed' | 'not offered';
  /** Why it failed. */
  detail: string;
  ms: number;
};

/**
 * Plays every scenario over every transport, one after the other, against a server that is up. Makes sessions and
 * tokens there, which it ends; costs a few short turns a scenario. Never rejects for what a server does wrong.
 */
export async function runConformance(options: ConformanceOptions): Promise<Result[]> {
  const results: Result[] = [];
  const scenarios = SCENARIOS.filter(({ name }) => options.only?.includes(name) ?? true);
  for (const transport of options.transports ?? TRANSPORTS)
    for (const scenario of scenarios) {
      const result = await play(scenario, transport, options);
      results.push(result);
      options.onResult?.(result);
    }
  return results;
}

async function play(scenario: Scenario, transport: Transport, options: ConformanceOptions): Promise<Result> {
  const target: Target = { url: options.url, token: options.token, projectId: options.projectId };
  const began = performance.now();
  const result = (verdict: Result['verdict'], detail = ''): Result => ({
    scenario: scenario.name,
    transport,
    verdict,
    detail,
    ms: Math.round(performance.now() - began),
  });
  const human = new CleaningDriver(openDriver(transport, target));
  const others: TokenDriver[] = [];
  if (!scenario.needs.every((ability) => human.offers(ability))) return result('not offered');
  try {
    await scenario.run({
      human: human.driver,
      person: new RestDriver(target),
      prompts: { ...PROMPTS, ...options.prompts },
      foreignSession: options.foreignSession ?? null,
      withToken: async (claims) => {
        const other = await tokenDriver(transport, target, options.teamId, scenario.name, claims);
        others.push(other);
        return other;
      },
    });
    return result('passed');
  } catch (error) {
    return result('failed', error instanceof Error ? error.message : String(error));
  } finally {
    for (const { driver, revoke } of others) {
      await revoke().catch(() => undefined);
      await driver.close().catch(() => undefined);
    }
    await human.close();
  }
}

/** Remembers the sessions that a scenario makes, and archives them at its end, also where it failed. */
class CleaningDriver {
  private readonly sessions: string[] = [];

  constructor(readonly driver: Driver) {
    const create = driver.createSession.bind(driver);
    driver.createSession = async () => {
      const session = await create();
      this.sessions.push(session);
      return session;
    };
  }

  offers(ability: Ability): boolean {
    return this.driver[ability] !== undefined;
  }

  async close(): Promise<void> {
    for (const session of this.sessions) await this.driver.endSession(session).catch(() => undefined);
    await this.driver.close().catch(() => undefined);
  }
}

async function tokenDriver(
  transport: Transport,
  target: Target,
  teamId: string,
  scenario: string,
  { identityClass, expiresAt }: { identityClass: 'human' | 'agent'; expiresAt?: Date },
): Promise<TokenDriver> {
  const rest = new RestCalls(target);
  const { token, secret } = await rest.call<CreatedToken>('POST', '/v1/tokens', {
    name: `Conformance: ${scenario}`,
    teamId,
    identityClass,
    ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
  });
  return {
    driver: openDriver(transport, { ...target, token: secret }),
    // By the token itself: one may end only itself.
    revoke: async () => {
      await new RestCalls({ url: target.url, token: secret }).call('DELETE', `/v1/tokens/${token.id}`);
    },
  };
}
