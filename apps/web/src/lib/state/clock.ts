/** Time as the parts that wait see it, so that tests can move it. Milliseconds. */
export interface Clock {
  now(): number;
  /** Calls `act` once after `ms`; the returned function calls it off. */
  after(ms: number, act: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
