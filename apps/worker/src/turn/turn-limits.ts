import { WATCHDOG_LIMITS, type WatchdogLimits } from '../outcome/turn-watchdog';

export type TurnLimits = WatchdogLimits & {
  /** A process that waited for this turn starts at once, or is taken for dead and replaced. */
  parkedStartMs: number;
  /** A question with no one present to answer is denied after this long. */
  unattendedMs: number;
};

export const TURN_LIMITS: TurnLimits = { ...WATCHDOG_LIMITS, parkedStartMs: 5_000, unattendedMs: 60_000 };
