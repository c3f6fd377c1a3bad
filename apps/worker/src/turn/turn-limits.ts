import { WATCHDOG_LIMITS, type WatchdogLimits } from './turn-watchdog';

export type TurnLimits = WatchdogLimits & {
  /** A process that waited for this turn starts at once, or is taken for dead and replaced. */
  parkedStartMs: number;
};

export const TURN_LIMITS: TurnLimits = { ...WATCHDOG_LIMITS, parkedStartMs: 5_000 };
