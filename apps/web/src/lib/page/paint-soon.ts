const MAX_WAIT_MS = 250;

/**
 * Acts before the next paint, and where nothing is painted, because the page is hidden or covered, a few times a
 * second.
 */
export function paintSoon(act: () => void): void {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    act();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, MAX_WAIT_MS);
}
