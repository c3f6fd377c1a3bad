export type StopStage = 'asked' | 'pressing' | 'forcing';

/** The server's ladder: asked at once, signals after two seconds, the whole tree is killed after ten. */
export function stopStage(sinceMs: number): StopStage {
  if (sinceMs < 2_000) return 'asked';
  return sinceMs < 10_000 ? 'pressing' : 'forcing';
}

export const STOP_SENTENCES: Record<StopStage, string> = {
  asked: 'Stopping…',
  pressing: 'Stopping, it takes a moment…',
  forcing: 'Forcing it to stop…',
};
