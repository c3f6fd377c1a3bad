import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { configNamesPrograms, gitMayRunPrograms } from './git-programs';

const usual =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n[user]\n\tname = Ada\n';

describe('the configuration of git', () => {
  it.each([
    ['of a usual repository', usual],
    ['with comments', `# a\n; b\n${usual}`],
    ['that is empty', ''],
  ])('%s names no program', (_, text) => expect(configNamesPrograms(text)).toBe(false));

  it.each([
    '[core]\n\tfsmonitor = ./x',
    '[core] fsmonitor = ./x',
    '[CORE]\n\tFsMonitor = ./x',
    '[core]\n\thooksPath = ./x',
    '[core]\n\tpager = ./x',
    '[diff]\n\texternal = ./x',
    '[diff "a"]\n\ttextconv = ./x',
    '[diff.a]\n\tcommand = ./x',
    '[filter "a"]\n\tclean = ./x',
    '[gpg]\n\tprogram = ./x',
    '[merge "a"]\n\tdriver = ./x',
    '[remote "a"]\n\tuploadPack = ./x',
    '[remote "a"]\n\tpromisor = true',
    '[extensions]\n\tpartialClone = a',
    '[log]\n\tshowSignature = true',
    '[include]\n\tpath = ../x',
    '[includeIf "gitdir:/"]\n\tpath = ../x',
    '[pager]\n\tstatus = ./x',
    '[alias]\n\tx = !y',
    '[user]\n\tname = a\\\n[core]\n\tfsmonitor = ./x',
    'nonsense here',
  ])('with %j may', (text) => expect(configNamesPrograms(text)).toBe(true));
});

describe('a git command that only reads', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'git-programs-'));
    put('w/.git/config', usual);
    put('w/src/x', '');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const may = (directory = 'w') =>
    gitMayRunPrograms({
      workspace: join(root, 'w'),
      directory: join(root, directory),
      config: join(root, 'config/gitconfig'),
    });

  it.each([
    ['its index', []],
    ['an index that is split', ['--split-index']],
    ['an index whose paths are packed', ['--index-version', '4']],
  ])('may run what a submodule in %s is configured with', async (_, flags) => {
    const git = (...words: string[]) => execFileSync('git', ['-C', join(root, 'w'), ...words], { stdio: 'pipe' });
    rmSync(join(root, 'w/.git'), { recursive: true });
    git('init', '-q');
    put('w/.git/config', usual);
    git('add', 'src');
    expect(await may()).toBe(false);
    git('update-index', ...flags, '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    expect(await may()).toBe(true);
  });

  it('runs nothing in a usual workspace and below it', async () =>
    expect([await may(), await may('w/src')]).toEqual([false, false]));

  it.each<[string, () => void, string?]>([
    ['its own configuration', () => put('w/.git/config', '[filter "a"]\n\tclean = x\n')],
    ['that of its worktree', () => put('w/.git/config.worktree', '[core]\n\tfsmonitor = x\n')],
    ['the agent’s', () => put('config/gitconfig', '[diff]\n\texternal = x\n')],
    ['that of a repository within', () => put('w/src/.git/config', '[diff]\n\texternal = x\n'), 'w/src'],
    [
      'that of a repository around one that is none',
      () => (put('w/.git/config', '[diff]\n\texternal = x\n'), mkdirSync(join(root, 'w/src/.git'))),
      'w/src',
    ],
    ['a configuration that the repository has elsewhere', () => put('w/.git/commondir', '../other')],
    ['a file in the place of a repository', () => put('w/src/.git', 'gitdir: /tmp/x'), 'w/src'],
    [
      'a link in the place of a configuration',
      () => (rmSync(join(root, 'w/.git/config')), symlinkSync('/tmp/x', join(root, 'w/.git/config'))),
    ],
    ['a directory that is a repository itself', () => put('w/src/HEAD', 'ref: refs/heads/main'), 'w/src'],
    ['a directory elsewhere', () => undefined, 'elsewhere'],
  ])('may run a program because of %s', async (...row) => {
    const [, change, directory] = row;
    change();
    expect(await may(directory)).toBe(true);
  });
});
