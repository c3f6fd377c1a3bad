import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** What git prints, run as Ada with none of the machine's configuration. */
export function runGit(directory: string, args: string[], input?: string): string {
  return execFileSync('git', ['-C', directory, ...args], {
    env: { PATH: process.env['PATH'], ...IDENTITY },
    input: input ?? '',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
    .toString()
    .trim();
}

/** A bare repository whose branch has one commit after another, each with the files given. */
export function makeGitRepository(path: string, commits: Record<string, string>[], branch = 'main'): void {
  const work = `${path}.work`;
  mkdirSync(work, { recursive: true });
  runGit(work, ['init', '-q', '-b', branch]);
  commits.forEach((files, index) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(work, name)), { recursive: true });
      writeFileSync(join(work, name), content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
    }
    runGit(work, ['add', '-A', '-f']);
    runGit(work, ['commit', '-q', '-m', `Commit ${index + 1}`]);
  });
  runGit(work, ['clone', '-q', '--bare', '.', path]);
}

/**
 * One commit more in a repository of `makeGitRepository`, as someone pushed it, and its id. `instead`: in place of the
 * last one, as after a forced push.
 */
export function pushCommit(
  path: string,
  files: Record<string, string>,
  { branch = 'main', instead = false }: { branch?: string; instead?: boolean } = {},
): string {
  const work = `${path}.work`;
  if (instead) runGit(work, ['reset', '-q', '--hard', 'HEAD^']);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), content);
  }
  runGit(work, ['add', '-A', '-f']);
  runGit(work, ['commit', '-q', '-m', `Change ${Object.keys(files).join(', ')}`]);
  runGit(work, ['push', '-q', '--force', path, `HEAD:refs/heads/${branch}`]);
  return runGit(work, ['rev-parse', 'HEAD']);
}

/**
 * A bare repository with one commit of a tree that no git would check in: entries as `git mktree` reads them, `%` for
 * the id of a blob of `content`.
 */
export function makeForgedRepository(path: string, entries: readonly string[], content: string): void {
  mkdirSync(path, { recursive: true });
  runGit(path, ['init', '-q', '--bare', '-b', 'main']);
  const blob = runGit(path, ['hash-object', '-w', '--stdin'], content);
  const tree = runGit(path, ['mktree'], entries.map((entry) => `${entry.replace('%', blob)}\n`).join(''));
  runGit(path, ['update-ref', 'refs/heads/main', runGit(path, ['commit-tree', '-m', 'Forged', tree])]);
}
