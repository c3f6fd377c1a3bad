import type { SourceReport } from '@chirality/contracts';

const MAX_NAMED = 50;
const MAX_PATH_CHARS = 500;
const REASONS: Record<string, string> = {
  device: 'it is a device or a pipe',
  link: 'it is a link that leads out of the archive',
};

const NOT_COMMITTED = 'git takes it into no commit';
const NO_HISTORY =
  'its history is incomplete, damaged or has no commit, and could not be taken over: the files are one new commit';

export const NOTHING_TO_REPORT: SourceReport = { submodules: null, lfs: null, leftOut: null };

/**
 * What of an archive is not among the project's files, by what UNPACK_UPLOAD and IMPORT_DIRECTORY print. Where more was
 * printed than is kept, the count is of what was.
 */
export function leftOutOf(unpacked: string, names: string): NonNullable<SourceReport['leftOut']> {
  const ofUnpacking = entriesOf(unpacked).map((entry) => {
    const at = entry.indexOf(' ');
    return { path: entry.slice(at + 1), reason: REASONS[entry.slice(0, at)] ?? 'it cannot be unpacked' };
  });
  const ofGit = entriesOf(names).map((path) => ({ path, reason: path === '.git' ? NO_HISTORY : NOT_COMMITTED }));
  const all = [...ofUnpacking, ...ofGit];
  return {
    count: all.length,
    named: all.slice(0, MAX_NAMED).map(({ path, reason }) => ({ path: path.slice(0, MAX_PATH_CHARS), reason })),
  };
}

function entriesOf(printed: string): string[] {
  return printed.split('\0').filter((entry) => entry !== '');
}
