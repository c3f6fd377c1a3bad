import { codeOf, textIn } from './errors.mjs';

/** A failure that is explained to the person at the terminal in one sentence, without a stack. */
export class Sentence extends Error {
  /** @override */
  name = 'Sentence';
}

/**
 * What an unexpected error means to that person.
 * @param {unknown} error
 * @returns {string}
 */
export function explain(error) {
  if (error instanceof Sentence) return error.message;
  if (codeOf(error) === 'ENOSPC') {
    const path = textIn(error, 'path');
    return `The disk is full${path ? ` (${path})` : ''}: free some space and start again.`;
  }
  return textIn(error, 'stack') ?? String(error);
}
