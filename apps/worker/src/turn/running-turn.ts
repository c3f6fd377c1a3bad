import type { TurnPermissions } from '../permission/turn-permissions';

export interface RunningTurn {
  readonly turnId: string;
  readonly sessionId: string;
  /** A turn that waits for a person, or is settled and only being stored, gives its slot back. */
  readonly isAtRest: boolean;
  /** What its program asks of people; null while no program serves it. */
  readonly permissions: TurnPermissions | null;
  run(): Promise<void>;
  requestInterrupt(): void;
  /** Its author may not send turns in its session now. */
  forbid(): void;
  shutDown(): void;
  /** The lease is gone: end the process, write nothing more. */
  abandon(): void;
}
