import type { NewEvent } from '@chirality/contracts';
import { indexedText, searchedTexts } from '@chirality/domain';
import { storableText } from '../connection/storable-text';
import type { SearchTextRow } from '../generated/rows';

/** A row of the search before its event has a number. */
interface SearchRow {
  field: SearchTextRow['field'];
  text: string;
  /** Its words, from which the index is made. */
  words: string;
}

/** What can be searched for of an event; none for most. */
export function searchRows(event: Pick<NewEvent, 'kind' | 'payload'>): SearchRow[] {
  return searchedTexts(event).map(({ field, text }) => ({ field, text: storableText(text), words: indexedText(text) }));
}

/**
 * The index entry of a row's words, which is an expression: as they are, with their places for phrases, and their
 * stems in English.
 */
export function searchVectorSql(words: string): string {
  return `to_tsvector('simple', ${words}) || strip(to_tsvector('english', ${words}))`;
}
