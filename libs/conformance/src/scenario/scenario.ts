import type { Envelope } from '@chirality/contracts';
import type { Ability, Driver } from '../driver/driver';
import type { RestDriver } from '../driver/rest.driver';

/** What a person says to have a model do something that a scenario can see. */
export type Prompts = {
  /** An answer without tools. */
  answer: string;
  /** An answer that takes a while, so that there is time to act meanwhile. */
  long: string;
  /** One call of a tool that needs a person's permission. */
  permission: string;
};

/** Fit for the built-in demo model; real ones understand them as well. */
export const PROMPTS: Prompts = {
  answer: 'Hello',
  long: 'Count to 500',
  permission: 'Run `echo conformance > conformance.txt`',
};

export type Scene = {
  /** As the person whose token the suite was given. */
  human: Driver;
  /** The same person at a browser, for what only people may. */
  person: Pick<RestDriver, 'answer'>;
  /** A driver of the same transport, with a token that the suite makes for this scenario. */
  withToken(claims: { identityClass: 'human' | 'agent'; expiresAt?: Date }): Promise<TokenDriver>;
  prompts: Prompts;
  /** A session of a team that the token knows nothing of, where the caller named one. */
  foreignSession: string | null;
};

export type TokenDriver = { driver: Driver; revoke(): Promise<void> };

/** What every transport has to do alike. `run` rejects where the server does not. */
export type Scenario = {
  name: string;
  /** In one sentence, for the report. */
  law: string;
  needs: readonly Ability[];
  run(scene: Scene): Promise<void>;
};

/** A server that did something else than the protocol says. */
class NotConforming extends Error {}

/** Throws `NotConforming` unless `holds`. */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new NotConforming(what);
}

export const isEnd = ({ kind }: Envelope) => kind === 'turn:end';
export const hasEnded = (events: readonly Envelope[]) => events.some(isEnd);
export const hasKind = (kind: Envelope['kind']) => (events: readonly Envelope[]) =>
  events.some((event) => event.kind === kind);

/** The fields of an event's payload, whose kind a scenario has looked at. */
export const payloadOf = (event: Envelope) => event.payload as Record<string, unknown>;

/** Throws unless the ids rise by one, from the one after `after`. */
export function expectWhole(events: readonly Envelope[], after = 0): void {
  events.forEach(({ id }, index) => {
    const wanted = after + index + 1;
    expect(id === wanted, `the event in place ${wanted} has the id ${id}: one is missing, doubled or out of order`);
  });
}

/** The code of the refusal that `act` ends with; throws where it is not refused. */
export async function refusalOf(what: string, act: Promise<unknown>): Promise<Refused> {
  try {
    await act;
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'problem' in error) return error as Refused;
    throw error;
  }
  throw new NotConforming(`${what} was accepted`);
}

type Refused = Error & { code: string; problem: Readonly<Record<string, unknown>> };
