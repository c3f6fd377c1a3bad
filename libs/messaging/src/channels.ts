import {
  accessChangeSchema,
  aheadAskSchema,
  presenceChangeSchema,
  sessionChangeSchema,
  turnSignalSchema,
  type AccessChange,
  type AheadAsk,
  type SessionChange,
  type TurnSignal,
} from '@chirality/contracts';
import { HintChannel, KeyedHintChannel, type HintWires } from './hint-channel';

/** Rights changed, so open connections are checked at once. */
export class AccessChannel extends HintChannel<AccessChange> {
  constructor(wires: HintWires) {
    super(wires, 'access-changes', accessChangeSchema);
  }
}

/** By session: the rows say who is there. */
export class PresenceChannel extends HintChannel<string> {
  constructor(wires: HintWires) {
    super(wires, 'presence', presenceChangeSchema);
  }
}

/** Lists of sessions are also read again from time to time. */
export class SessionChannel extends HintChannel<SessionChange> {
  constructor(wires: HintWires) {
    super(wires, 'session-changes', sessionChangeSchema);
  }
}

/** By worker: a row of one of its turns has changed. */
export class TurnSignals extends KeyedHintChannel<TurnSignal> {
  constructor(wires: HintWires) {
    super(wires, (worker) => `worker:${worker}:signals`, turnSignalSchema);
  }
}

/** Asks a worker for a process ahead of a session's next turn; what is lost costs that turn a cold start. */
export class AheadChannel extends KeyedHintChannel<AheadAsk> {
  constructor(wires: HintWires) {
    super(wires, (worker) => `worker:${worker}:ahead`, aheadAskSchema);
  }
}
