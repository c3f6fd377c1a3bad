/** Where a first message goes: an existing project, or a sample project that is created for it. */
export type StartTarget = { projectId: string } | { sampleFor: string | undefined };

export const SAMPLE = 'sample';

type Offer = { projects: readonly { id: string }[]; offersSample: boolean };

/**
 * The choice that stands: what was chosen while it is still offered. Null where that project is gone and was meant:
 * a person picked it or has written words for it, and no other project takes its place unseen.
 */
export function standingChoice(chosen: string, { projects, offersSample }: Offer, isMeant: boolean): string | null {
  const isOffered = chosen === SAMPLE ? offersSample : projects.some(({ id }) => id === chosen);
  if (isOffered) return chosen;
  if (isMeant && chosen !== SAMPLE) return null;
  return projects[0]?.id ?? SAMPLE;
}
