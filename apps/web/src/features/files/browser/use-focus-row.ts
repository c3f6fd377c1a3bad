import { useState } from 'react';
import { firstFocusRow, nextFocusRow } from './focus-row';

export type FocusRow = { focusRow: string | null; onRowFocus: () => void; focusAt: (row: string) => void };

/** The row of a tree where the keyboard continues, by its path, until the focus is at some row. */
export function useFocusRow(place: string): FocusRow {
  const [shownPlace, setShownPlace] = useState(place);
  const [focusRow, setFocusRow] = useState(() => firstFocusRow(place));
  if (place !== shownPlace) {
    setShownPlace(place);
    setFocusRow(nextFocusRow(shownPlace, place));
  }
  return { focusRow, onRowFocus: () => setFocusRow(null), focusAt: setFocusRow };
}
