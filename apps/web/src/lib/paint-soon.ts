const HIDDEN_MS = 250;

/** Acts before the next paint. A page that is not painted has no frames, so there it acts a few times a second. */
export function paintSoon(act: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(act);
  else setTimeout(act, HIDDEN_MS);
}
