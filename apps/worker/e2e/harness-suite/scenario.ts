import type {
  CreateSession,
  EventKind,
  HarnessName,
  Options,
  OutputSchema,
  Turn,
  TurnError,
} from '@chirality/contracts';
import type { FaultStack } from '../support/fault-stack';
import type { WatchedSession } from '../support/watched-session';
import type { LiveTurn } from './live-turn';
import type { SeenTurn } from './seen-turn';

/** What a person does, and what must be seen of it: the same for every harness. */
export type Scenario = {
  name: string;
  /** The requirements that it is about. */
  proves: string;
  session?: Pick<Partial<CreateSession>, 'mode' | 'options' | 'persona'>;
  /** Turns of one session, one after the other. */
  turns: Step[];
  /** Most of its time is waiting, so it is begun long before it is looked at. */
  patient?: true;
  /** The program asks the model again without saying so, and omits the cost from its figures. */
  retriesUnseen?: true;
  /** Codes of warnings that are part of it; any other one is a fault. */
  notices?: readonly string[];
};

export type Step = {
  /** What happens to the world before it is sent. */
  before?: (world: { product: FaultStack; watched: WatchedSession }) => Promise<unknown>;
  /** What the person sends; `compact` is the act of that name, `boot` the other. */
  says: string | { act: 'compact' };
  options?: Partial<Options>;
  /** What the answer has to be. */
  outputSchema?: OutputSchema;
  /** What people, or the world, do while the turn runs. */
  meanwhile?: (live: LiveTurn) => Promise<unknown>;
  /** What the turn is in the end. */
  ends: Pick<Partial<Turn>, 'status' | 'text' | 'degraded' | 'attempt' | 'usage'> &
    Pick<Partial<Turn>, 'structured' | 'outputSchema'> & {
      code?: TurnError['code'] | undefined;
    };
  /** Kinds of events that come in this order, whatever else comes between. */
  inOrder?: readonly EventKind[];
  shows?: (seen: SeenTurn) => void | Promise<void>;
};

/** A way to run Claude Code that can be put through the scenarios. */
export interface TestedHarness {
  /** As a session names it. */
  readonly name: HarnessName;
  /**
   * Scenarios that it, or the program behind it, cannot show: by name, with the line of docs/claude-code.md that says
   * why.
   */
  readonly cannotShow: Readonly<Record<string, string>>;
}
