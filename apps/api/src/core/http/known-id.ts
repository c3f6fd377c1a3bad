import { ID_PREFIXES, isId, type IdNoun } from '@chirality/contracts';

/**
 * What to look up for an id that a client gave: itself, or for one of the wrong form an id that nothing ever has, so that
 * a malformed id takes the same way, and the same time, as an unknown one.
 */
export function knownId(noun: IdNoun, given: string): string {
  return isId(noun, given) ? given : `${ID_PREFIXES[noun]}_00000000000000000000000000`;
}
