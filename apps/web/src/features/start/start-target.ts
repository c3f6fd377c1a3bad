/** Where a first message goes: an existing project, or a sample project that is created for it. */
export type StartTarget = { projectId: string } | { sampleFor: string | undefined };

export const SAMPLE = 'sample';

type Offer = { projects: readonly { id: string }[]; offersSample: boolean };

/** The choice that stands: what was chosen while it is still offered, else the first offer. Another team has other projects. */
export function standingChoice(chosen: string, { projects, offersSample }: Offer): string {
  const isOffered = chosen === SAMPLE ? offersSample : projects.some(({ id }) => id === chosen);
  return isOffered ? chosen : (projects[0]?.id ?? SAMPLE);
}
