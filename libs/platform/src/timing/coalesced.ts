type Act = () => Promise<void>;

/** `act`, never twice at once: a call while it runs shares that run and its outcome. */
export function joined(act: Act): Act {
  let running: Promise<void> | null = null;
  return () => (running ??= act().finally(() => (running = null)));
}

/**
 * `act`, never twice at once: calls while it runs share one more run after it, so each call is followed by a whole run
 * that saw what the caller had changed. A failure reaches those who wait for that run, and keeps no later one from
 * coming.
 */
export function coalesced(act: Act): Act {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = () => (running = act().finally(() => (running = null)));
  return () => {
    if (next) return next;
    if (!running) return start();
    next = running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}
