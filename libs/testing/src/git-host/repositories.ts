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

function git(directory: string, args: string[], input?: string): string {
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
  git(work, ['init', '-q', '-b', branch]);
  commits.forEach((files, index) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(work, name)), { recursive: true });
      writeFileSync(join(work, name), content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
    }
    git(work, ['add', '-A', '-f']);
    git(work, ['commit', '-q', '-m', `Commit ${index + 1}`]);
  });
  git(work, ['clone', '-q', '--bare', '.', path]);
}

/** A bare repository with one commit of a tree that no git would check in: entries as `git mktree` reads them, `%` for the id of a blob of `content`. */
export function makeForgedRepository(path: string, entries: readonly string[], content: string): void {
  mkdirSync(path, { recursive: true });
  git(path, ['init', '-q', '--bare', '-b', 'main']);
  const blob = git(path, ['hash-object', '-w', '--stdin'], content);
  const tree = git(path, ['mktree'], entries.map((entry) => `${entry.replace('%', blob)}\n`).join(''));
  git(path, ['update-ref', 'refs/heads/main', git(path, ['commit-tree', '-m', 'Forged', tree])]);
}
