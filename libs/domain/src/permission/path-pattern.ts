import { matchesSequence, matchesWildcard } from './glob';

/** A path without `.`, `..` and doubled slashes; null when it climbs above its start. Above the root is the root. */
export function normalizePath(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined && !path.startsWith('/')) return null;
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}

/**
 * Whether a path fits a pattern of segments: `*` within a segment, `**` for any number of them. A pattern that does not
 * begin with a slash is meant from the workspace's root.
 */
export function matchesPath(pattern: string, path: string, workspace?: string): boolean {
  const normal = normalizePath(path.startsWith('/') || !workspace ? path : `${workspace}/${path}`);
  if (normal === null) return false;
  if (pattern.startsWith('/')) return fits(pattern, normal);
  if (!normal.startsWith('/')) return fits(pattern, normal);
  if (!workspace) return fits(`**/${pattern}`, normal);
  return normal.startsWith(`${workspace}/`) && fits(pattern, normal.slice(workspace.length + 1));
}

function fits(pattern: string, path: string): boolean {
  const segments = (text: string): string[] => text.split('/').filter((segment) => segment !== '' && segment !== '.');
  return matchesSequence(segments(pattern), segments(path), (one) => one === '**', matchesWildcard);
}

const SENSITIVE = [
  '**/.git/**',
  '**/.git',
  '**/.claude/settings*.json',
  '**/.claude/hooks/**',
  '**/.mcp.json',
  '**/.husky/**',
  '**/.envrc',
  '**/.ssh/**',
  '**/.bashrc',
  '**/.bash_profile',
  '**/.profile',
  '**/.zshrc',
  '**/.gitconfig',
];

/** Files that make other programs run something: a person should see a change to them first. */
export function isSensitivePath(path: string): boolean {
  const normal = normalizePath(path);
  return normal === null || SENSITIVE.some((pattern) => fits(pattern, normal.toLowerCase()));
}
