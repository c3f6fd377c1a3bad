import type { FileSource } from './file-source';

/** What a project's files page shows, as its address has it: a file, or with a slash at its end a folder that is open. */
type FilesSearch = { path?: string | undefined };

/** Shows a file, or with a slash at its end a folder; `replace` leaves no entry for what was shown in the history. */
export type OnPlace = (place: string, options?: { replace: boolean }) => void;

/** What an address asks for. Written by hand, a name of digits arrives as a number. */
export function readFilesSearch(search: Record<string, unknown>): FilesSearch {
  const { path } = search;
  const text = typeof path === 'number' ? String(path) : path;
  return { path: typeof text === 'string' && text !== '' ? text : undefined };
}

/** The file that an address names; null where it names a folder or nothing. */
export function fileOfPath(path: string): string | null {
  return path === '' || path.endsWith('/') ? null : path;
}

/** The folders that have to be open to see what an address names, from the top. */
export function foldersOfPath(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

/** The address of a folder that was opened, or of the one around it when it was closed. */
export function pathOfFolder(folder: string, isOpen: boolean): string | undefined {
  if (isOpen) return `${folder}/`;
  return folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/') + 1) : undefined;
}

/** The folder around a file, with a slash at its end; '' is the top. */
export function folderAround(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

/** The address of a file or folder on the page that shows it. A session's panel has none for each, but the session's. */
export function placeHref({ of }: Pick<FileSource, 'of'>, place: string, anchor = ''): string {
  const part = anchor === '' ? '' : `#${anchor}`;
  return of === 'projects' ? `?path=${encodeURIComponent(place)}${part}` : '#';
}
