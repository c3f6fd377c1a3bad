import { judgeCommand } from './judge-command';

const allowed = (command: string, ...patterns: string[]): boolean => judgeCommand(command, patterns, false).allowed;
const quiet = (command: string): boolean => judgeCommand(command, [], true).allowed;

describe('the rule Bash(git *)', () => {
  it.each(['git status', 'git commit -m "a message; with && signs"', 'git', 'git push origin main', 'git add -A && git commit -m x', 'git --no-pager log', 'git log 2>&1', 'git diff > /dev/null', '"git" status'])(
    'allows %j',
    (command) => expect(allowed(command, 'git *')).toBe(true),
  );

  it.each([
    'git -c core.pager=evil log',
    'git -ccore.pager=evil log',
    'git --config-env=core.pager=X log',
    'git --exec-path=/tmp status',
    'git --exec-path /tmp status',
    'git -C /elsewhere status',
    'git --git-dir=/tmp/evil status',
    'git --no-pager -c core.pager=evil log',
    'git config core.pager evil',
    'git config alias.x "!rm x"',
    'git x',
    'git bisect run rm',
    'git submodule foreach rm',
    'git filter-branch --tree-filter rm',
    'git difftool -x rm',
    'git rebase --exec rm main',
    'git rebase -x rm main',
    'git rebase --exe=rm main',
    'git diff --ext-diff',
    'git log --output=/etc/x',
    'git log --outp=/etc/x',
    'git grep -O"rm x" y',
    'git grep --open-files-in-pager=rm y',
    'git fetch --upload-pack=evil origin',
    'git push --receive-pack=evil',
    'git fetch "ext::sh -c evil"',
    'git clone x',
    'git init --template=/tmp/evil',
    'git log $(rm x)',
    'git log "$(rm x)"',
    'git log `rm x`',
    'git log <(rm x)',
    'git log $X',
    'git status\nrm x',
    'git status && rm x',
    'git status || rm x',
    'git status; rm x',
    'git status | rm x',
    'git status & rm x',
    'git show HEAD:x > ~/.bashrc',
    'git show HEAD:x >> a',
    'GIT_PAGER=evil git log',
    'PATH=/tmp git log',
    'env git log',
    'xargs git log',
    'git ls-files | xargs rm',
    'sudo git log',
    'gitx status',
    './git status',
    '/tmp/git status',
    'git log *',
    'git log {a,b}',
    '(git log)',
    'git log #',
    '',
  ])('asks about %j', (command) => expect(allowed(command, 'git *')).toBe(false));
});

describe('other rules', () => {
  it.each<[string, string, boolean]>([
    ['npm run test:*', 'npm run test', true],
    ['npm run test:*', 'npm run test --watch', true],
    ['npm run test:*', 'npm run testify', false],
    ['npm test', 'npm test', true],
    ['npm test', 'npm test -- x', false],
    ['npm test', 'npm test && npm test', true],
    ['npm *', 'npm exec evil', false],
    ['npm exec *', 'npm exec evil', true],
    ['npm run *', 'npm run exec', true],
    ['npm *', 'npm --version', true],
    ['npm *', 'npm install', true],
    ['npm *', 'npm i', true],
    ['npm *', 'npm --silent exec evil', false],
    ['npm *', 'npm --loglevel silent x evil', false],
    ['npm *', 'npm exe evil', false],
    ['npm *', 'npm c set script-shell evil', false],
    ['npm *', 'npm init evil', false],
    ['npm run *', 'npm run -C /tmp/evil test', false],
    ['yarn *', 'yarn --cwd /tmp/evil test', false],
    ['pnpm *', 'pnpm --silent dlx evil', false],
    ['go *', 'go test ./...', true],
    ['go *', 'go test -exec evil ./...', false],
    ['go *', 'go test -exec=evil ./...', false],
    ['go *', 'go build --toolexec=evil', false],
    ['go *', 'go vet -vettool=evil', false],
    ['tar *', 'tar czf a.tgz src', true],
    ['tar *', 'tar cIf evil a.tar src', false],
    ['make *', 'make -j4 build', true],
    ['make *', "make -E 'x:;evil'", false],
    ['make *', 'make -f - x', false],
    ['make *', 'make MAKEFLAGS=--eval=evil', false],
    ['find . *', 'find . -name x', true],
    ['find . *', 'find . -name x -delete', false],
    ['find . *', 'find . -exec rm {} +', false],
    ['sort *', 'sort --compress-prog=evil a', false],
    ['sort *', 'sort -uo a b', false],
    ['sort *', 'sort *', true],
    ['sort -u *', 'sort *', false],
    ['make *', 'make build', true],
    ['make *', 'make SHELL=/tmp/evil build', false],
    ['make *', "make CC='sh -c evil'", false],
    ['make *', 'make -C /tmp/evil', false],
    ['go *', 'go test -C /tmp/evil ./...', false],
    ['cargo *', 'cargo test --manifest-path /tmp/evil/Cargo.toml', false],
    ['git -c core.pager=cat *', 'git -c core.pager=cat log', true],
    ['git -c core.pager=cat *', 'git -c core.pager=cat -c core.editor=evil log', false],
    ['git push *', 'git push origin main', true],
    ['git push *', 'git pull', false],
    ['git * main', 'git merge --no-ff main', true],
    ['git * main', 'git merge other', false],
    ['ls *.ts', 'ls a.ts', true],
    ['ls *.ts', 'ls a.ts b.ts', false],
    ['echo $(date)', 'echo $(date)', true],
    ['echo $(date)', 'echo $(date) $(rm x)', false],
  ])('%j and the command %j: %s', (pattern, command, expected) => expect(allowed(command, pattern)).toBe(expected));

  it('may share the parts of one command', () => {
    expect(judgeCommand('npm test && git push', ['npm test', 'git push *'], false)).toEqual({ allowed: true, by: 'rule', patterns: ['npm test', 'git push *'] });
    expect(judgeCommand('npm test && git status', ['npm test'], true)).toEqual({ allowed: true, by: 'rule', patterns: ['npm test'] });
    expect(judgeCommand('npm test && rm x', ['npm test'], true)).toMatchObject({ allowed: false, why: 'no rule allows "rm"' });
  });
});

describe('the quiet commands', () => {
  it.each([
    'ls -la src', 'pwd', 'cat a b | head -5', 'grep -rn "x y" .', 'git status', 'git describe --tags', 'git diff HEAD~1 -- a', 'git log --oneline | wc -l', 'git branch -a', 'git branch', 'git stash list',
    'find . -name "*.ts" -type f', 'rg -n foo src', 'sort a | uniq -c', 'cat a > /dev/null', 'ls 2>/dev/null', 'node --version', 'date +%s', 'cat < a', 'which git',
  ])('%j', (command) => expect(quiet(command)).toBe(true));

  it.each([
    'rm a', 'ls > a', 'cat a >> b', 'git branch new', 'git branch -D x', 'git stash', 'git stash pop', 'git push', 'git commit', 'git reflog expire --all', 'git tag v1', 'git remote add x y',
    'git -c core.pager=evil log', 'git diff --output=x', 'git describe --dirty', 'git describe --tags --di=x', 'git describe --broken', 'git grep -Oevil x', 'git diff --ext-diff', 'find . -delete', 'find . -exec rm {} +', 'find . -fprintf a b', 'rg --pre evil x', 'rg --pre=evil x',
    'sort -o a b', 'sort --output=a b', 'sort --compress-program=evil b', 'sort *', 'uniq a b', 'uniq - b', 'uniq -- -a b', 'echo evil | uniq - .git/hooks/pre-commit', 'uniq *', 'date -s x', 'node -e 1', 'node', 'python3 -c x', 'printf -v "a[$(rm x)]" b', "test -v 'a[$(rm x)]'",
    'sed -i s/a/b/ c', 'awk 1', 'tee a', 'xargs ls', 'env', 'cd a', 'cd a && git status', 'X=1 ls', 'ls $(rm x)', 'ls; rm a', 'ls && curl x', 'tree -o a', 'tree -R -L 1', 'file -C', 'git cat-file --filters HEAD:a', 'cat < /dev/tcp/example.com/80', 'unknown',
  ])('are not %j', (command) => expect(quiet(command)).toBe(false));
});
