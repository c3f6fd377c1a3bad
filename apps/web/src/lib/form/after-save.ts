/** What a field holds once it is saved: what was typed while the save was pending, else what the server made of it. */
export function afterSave(now: string, submitted: string, saved: string): string {
  return now === submitted ? saved : now;
}
