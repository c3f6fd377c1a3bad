import { ID_PREFIXES, type IdNoun } from '@chirality/contracts';
import { monotonicFactory } from 'ulid';

const nextUlid = monotonicFactory();

/** A new id of that noun: sortable by time to the millisecond, and strictly rising within one process. */
export function newId(noun: IdNoun): string {
  return `${ID_PREFIXES[noun]}_${nextUlid()}`;
}
