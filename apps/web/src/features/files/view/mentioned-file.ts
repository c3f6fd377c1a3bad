import { linkedPath } from './linked-path';

/** A file that is to be shown, and the line that is looked for in it. */
export type WantedFile = { path: string; line: number | null };

const LINE = /^L(\d{1,7})/;

/**
 * The file of a session that a link in its conversation names, and the line in it. A path from the top of the machine
 * counts where it is in `cwd`, the workspace as the model names it. Null for what is elsewhere.
 */
export function mentionedFile(href: string, cwd: string | null): WantedFile | null {
  const linked = linkedPath('', withoutTop(href, cwd) ?? '..');
  if (linked === null || linked.path === '') return null;
  const line = LINE.exec(linked.anchor)?.[1];
  return { path: linked.path, line: line === undefined ? null : Number(line) };
}

function withoutTop(href: string, cwd: string | null): string | null {
  if (!href.startsWith('/')) return href;
  return cwd !== null && href.startsWith(`${cwd}/`) ? href.slice(cwd.length + 1) : null;
}
