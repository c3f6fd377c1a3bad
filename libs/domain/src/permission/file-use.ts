import type { ShellWord } from './shell/read-word';

/** What a program does to a path that it is given. */
export type FileUse = {
  path: string;
  does: 'read' | 'change';
  /** `whole`: all that it is, if it is a directory; `tree`: each file below it as well. */
  what: 'file' | 'whole' | 'tree';
  /** The shell replaces it by the names that fit. */
  glob: boolean;
  /** False for programs that are not known, which may not even take it for a path. */
  sure: boolean;
  /** Of a tree, only files with such a name. */
  names?: string;
  /** Of a tree, nothing whose name begins with a dot. */
  skipsHidden?: true;
};

export function fileUse(word: ShellWord, does: FileUse['does'], what: FileUse['what'] = 'file', sure = true): FileUse {
  return { path: word.text, does, what, glob: word.expands, sure };
}

/** The directory that a command is in. */
export const HERE: ShellWord = { text: '.', expands: false, quoted: false };

export const words = (text: string): Set<string> => new Set(text.split(' '));
