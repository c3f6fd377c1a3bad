/** A failure that is explained to the person at the terminal in one sentence, without a stack. */
export class Sentence extends Error {
  name = 'Sentence';
}

/** What an unexpected error means to that person. */
export function explain(error) {
  if (error instanceof Sentence) return error.message;
  if (error?.code === 'ENOSPC')
    return `The disk is full${error.path ? ` (${error.path})` : ''}: free some space and start again.`;
  return error?.stack ?? String(error);
}
