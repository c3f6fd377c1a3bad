import type { EgressDecision } from '@chirality/contracts';

export type EgressRefusal = Exclude<EgressDecision, 'allowed'>;

/** For whom a process acts while it is bound. */
export type EgressBinding = {
  projectId: string;
  sessionId: string;
  turnId: string;
  userId: string;
  /** Called once per host, port and reason. Must not throw. */
  onRefused(refusal: { host: string; port: number; decision: EgressRefusal }): void;
};

/** What was decided for one turn: one row per host, port and decision. */
export type EgressLogRow = Omit<EgressBinding, 'onRefused'> & {
  host: string;
  port: number;
  decision: EgressDecision;
  count: number;
  firstAt: Date;
  lastAt: Date;
};

export interface EgressLogSink {
  /** Adds counts to the rows that are there. */
  add(rows: EgressLogRow[]): Promise<void>;
}

export interface EgressLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export type ResolvedAddress = { address: string; family: 4 | 6 };

/** The network as the proxy sees it; tests put another one in its place. */
export interface EgressNetwork {
  /** Every address of a name; throws when it has none. */
  resolve(name: string): Promise<ResolvedAddress[]>;
  /** Whether that listed name may lead there. */
  mayReach(address: string, name: string): boolean;
}

export type EgressLimits = {
  connections: number;
  connectMs: number;
  /** A connection on which nothing moved. */
  idleMs: number;
};

export const DEFAULT_EGRESS_LIMITS: EgressLimits = { connections: 128, connectMs: 10_000, idleMs: 5 * 60_000 };
