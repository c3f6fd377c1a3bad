/** Words for a persona that are not saved, and the version that they were written on. */
export type PersonaDraft = { text: string; baseVersion: number };

/** The draft once `sent` is saved as `version`: what was typed meanwhile stays, and is written on what was saved. */
export function draftAfterSave(now: PersonaDraft | null, sent: string, version: number): PersonaDraft | null {
  return now === null || now.text === sent ? null : { text: now.text, baseVersion: version };
}

/**
 * The draft once an older version is restored: without the words that were given up for it. What was typed meanwhile
 * stays as it is, so that the person is asked which of both counts.
 */
export function draftAfterRestore(now: PersonaDraft | null, givenUp: string | null): PersonaDraft | null {
  return now?.text === givenUp ? null : now;
}
