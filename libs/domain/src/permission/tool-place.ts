import { normalizePath } from './path-pattern';
import { isSearch } from './tool-classes';

/** Where a call is made: both absolute, as the tool sees them. */
export type PathContext = {
  /** Where its relative paths begin; without it the workspace's root. */
  cwd?: string;
  /** Without it a relative rule fits the end of any path. */
  workspace?: string;
};

export function pathOf(input: unknown): string | null {
  return textField(input, 'file_path') ?? textField(input, 'notebook_path') ?? textField(input, 'path');
}

export function textField(input: unknown, name: string): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const value: unknown = (input as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}

/**
 * The file that a call names or the directory that it searches, as the program finds it (seen: it trims `path`, takes
 * it from its current directory, and searches there without one). Null for a file tool that names none.
 */
export function placeOf(tool: string, input: unknown, { cwd, workspace }: PathContext): string | null {
  const start = cwd ?? workspace ?? '';
  const named = (isSearch(tool) ? textField(input, 'path') : pathOf(input))?.trim();
  const path = named === undefined || named === '' ? (isSearch(tool) ? start || '.' : null) : resolveFrom(start, named);
  const pattern = tool === 'Glob' ? textField(input, 'pattern')?.trim() : undefined;
  return pattern?.startsWith('/') ? fixedPart(pattern) || '/' : path;
}

/** A path taken from a directory; both as they are written, but for the kernel's other name for that directory. */
export function resolveFrom(directory: string, path: string): string {
  const [whole, what] = /^\/+proc\/+[^/]+\/+(?:task\/+[^/]+\/+)?(cwd|root)(?=\/|$)/.exec(path) ?? [];
  if (whole !== undefined) return `${what === 'cwd' ? directory : ''}${path.slice(whole.length) || '/'}`;
  return path.startsWith('/') || directory === '' ? path : `${directory}/${path}`;
}

/** The segments of an absolute path, or of one from the workspace's root; null when it climbs above its start. */
export function segmentsOf(path: string, workspace?: string): string[] | null {
  const normal = normalizePath(path.startsWith('/') || !workspace ? path : `${workspace}/${path}`);
  return normal === null ? null : normal.split('/').filter(Boolean);
}

/** What comes before the first segment that stands for more than itself; empty where the first one does. */
export function fixedPart(pattern: string): string {
  const segments = pattern.split('/');
  const first = segments.findIndex((segment) => /[*?[{]/.test(segment));
  return (first < 0 ? segments : segments.slice(0, first)).join('/');
}
