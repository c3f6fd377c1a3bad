import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The agent's own configuration of git, in its configuration directory: the worker can look at it there, and it ends with its process. */
export const GLOBAL_GIT_CONFIG = 'gitconfig';

const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
/** The mode of a submodule (160000), as an entry of the index holds it. */
const SUBMODULE_MODE = Buffer.from([0x00, 0x00, 0xe0, 0x00]);

/** Sections in which git looks for no program that a command which only reads would start. */
const HARMLESS_SECTIONS = new Set([
  'branch',
  'user',
  'author',
  'committer',
  'extensions',
  'gc',
  'push',
  'pull',
  'fetch',
  'init',
  'advice',
  'color',
  'rerere',
  'index',
  'feature',
  'status',
  'safe',
  'remote',
  'merge',
  'rebase',
  'commit',
]);
/** The rest of this section names editors, pagers, hooks and watchers. */
const HARMLESS_CORE = new Set([
  'repositoryformatversion',
  'filemode',
  'bare',
  'logallrefupdates',
  'ignorecase',
  'precomposeunicode',
  'symlinks',
  'autocrlf',
  'eol',
  'safecrlf',
  'abbrev',
  'quotepath',
  'compression',
  'loosecompression',
  'excludesfile',
]);

/**
 * What names a program all the same: drivers of merges, which `git log --remerge-diff` starts, and what fetches the objects
 * that are missing, which any command may find out.
 */
const NAMES_PROGRAM = new Set([
  'driver',
  'uploadpack',
  'receivepack',
  'vcs',
  'promisor',
  'partialclone',
  'recentobjectshook',
]);

/** Host paths. `directory`: where the command is run. `config`: what `GIT_CONFIG_GLOBAL` names for it. */
type GitPlaces = { workspace: string; directory: string; config: string };

/**
 * Whether a git command that only reads might start a program that the repository's or the agent's own configuration
 * names: a filter, a driver of diffs, a watcher. What cannot be read for sure counts as yes.
 */
export async function gitMayRunPrograms({ workspace, directory, config }: GitPlaces): Promise<boolean> {
  const repositories = await repositoriesFrom(workspace, directory);
  if (repositories === 'unclear') return true;
  const files = [
    config,
    ...repositories.flatMap((repository) => [join(repository, 'config'), join(repository, 'config.worktree')]),
  ];
  const checks = [...files.map(namesPrograms), ...repositories.map(mayHoldSubmodules)];
  return (await Promise.all(checks)).some(Boolean);
}

/**
 * Git starts itself in each submodule that the index names, with that repository's configuration. The mode is looked for
 * anywhere in the index, however its entries are packed: bytes that only look like it make a command be asked about.
 */
async function mayHoldSubmodules(repository: string): Promise<boolean> {
  const names = await readdir(repository).catch(() => null);
  if (names === null) return true;
  const indexes = names.filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  return (await Promise.all(indexes.map((name) => holdsSubmoduleMode(join(repository, name))))).some(Boolean);
}

async function holdsSubmoduleMode(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.size > MAX_INDEX_BYTES) return true;
  const bytes = await readFile(path).catch(() => null);
  return bytes === null || bytes.includes(SUBMODULE_MODE);
}

/** Each `.git` that git may use there: it passes by one that is no repository. A file or a link in its place leads elsewhere. */
async function repositoriesFrom(workspace: string, directory: string): Promise<string[] | 'unclear'> {
  const repositories: string[] = [];
  for (let place = directory; place === workspace || place.startsWith(`${workspace}/`); place = join(place, '..')) {
    const repository = join(place, '.git');
    const found = await lstat(repository).catch(() => null);
    // A directory may be a bare repository itself, and a repository may have its configuration elsewhere.
    if (
      (found && !found.isDirectory()) ||
      (await isThere(join(place, 'HEAD'))) ||
      (await isThere(join(repository, 'commondir')))
    )
      return 'unclear';
    if (found) repositories.push(repository);
  }
  return directory === workspace || directory.startsWith(`${workspace}/`) ? repositories : 'unclear';
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

async function namesPrograms(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? null : ('unclear' as const),
  );
  if (found === null) return false;
  if (found === 'unclear' || !found.isFile() || found.size > MAX_CONFIG_BYTES) return true;
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null || configNamesPrograms(text);
}

/** By the names in the file alone: a value may go over several lines, which then count as names that are not known. */
export function configNamesPrograms(text: string): boolean {
  let section = '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const header = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]$/.exec(line);
    if (header) {
      section = (header[1] ?? '').toLowerCase().split('.')[0] ?? '';
      continue;
    }
    const key = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=.*)?$/.exec(line)?.[1]?.toLowerCase();
    if (key === undefined || line.endsWith('\\') || NAMES_PROGRAM.has(key)) return true;
    if (!(section === 'core' ? HARMLESS_CORE.has(key) : HARMLESS_SECTIONS.has(section))) return true;
  }
  return false;
}
