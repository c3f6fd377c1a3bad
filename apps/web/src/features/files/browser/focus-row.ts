import { fileOfPath, folderAround } from '../files-search';

/**
 * The row of the tree where the keyboard begins when a place is opened by its address; null where that is not in the
 * tree.
 */
export function firstFocusRow(place: string): string | null {
  return place.endsWith('/') ? place.slice(0, -1) : null;
}

/** The row where it continues after another place was opened: that of the file that was left, or of the folder. */
export function nextFocusRow(before: string, place: string): string | null {
  const left = fileOfPath(before);
  // A file takes the focus itself.
  if (fileOfPath(place) !== null) return null;
  return left !== null && (place === '' || place === folderAround(left)) ? left : firstFocusRow(place);
}
