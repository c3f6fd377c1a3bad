import { revealHidden } from '../../../lib/text/reveal';

/** The last part of a path. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The same as it is shown: a project may name its files so that they look like others. */
export function shownFileName(path: string): string {
  return revealHidden(fileName(path));
}
