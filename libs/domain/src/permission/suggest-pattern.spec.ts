import fc from 'fast-check';
import { decideToolUse, type ToolDecision, type ToolUse } from './decide-tool-use';
import type { PermissionRule } from './rule';

const USE: Omit<ToolUse, 'tool' | 'input'> = {
  mode: 'workbench',
  permissionMode: 'default',
  strict: false,
  autoApproveTools: [],
  rules: [],
  workspace: '/w',
};

const decide = (tool: string, input: unknown, over: Partial<ToolUse> = {}): ToolDecision =>
  decideToolUse({ ...USE, tool, input, ...over });
const offered = (command: string, over: Partial<ToolUse> = {}): string[] =>
  decide('Bash', { command }, over).patterns ?? [];
const stored = (patterns: readonly string[]): PermissionRule[] =>
  patterns.map((pattern) => ({ tool: 'Bash', pattern }));
const afterwards = (patterns: readonly string[], command: string, over: Partial<ToolUse> = {}) =>
  decide('Bash', { command }, { ...over, rules: stored(patterns) }).decision;

describe('the rules that are offered for a command', () => {
  it.each<[string, string[]]>([
    ['npm test', ['Bash(npm test *)']],
    ['npm test -- -t "two words"', ['Bash(npm test *)']],
    ['npm test 2>&1 | tail -20', ['Bash(npm test *)']],
    ['npm run build --if-present', ['Bash(npm run build *)']],
    ['npm run watch', ['Bash(npm run watch *)']],
    ['npm install left-pad', ['Bash(npm install left-pad)']],
    ['git push origin main', ['Bash(git push *)']],
    ['cargo test --workspace', ['Bash(cargo test *)']],
    ['go build ./...', ['Bash(go build *)']],
    ['make build', ['Bash(make build)']],
    ['pytest -q', ['Bash(pytest -q)']],
    ['rm -rf build', ['Bash(rm -rf build)']],
    ['echo a > b', ['Bash(echo a > b)']],
    ['CI=1 npm test', ['Bash(CI=1 npm test)']],
  ])('%j: %j', (command, patterns) => expect(offered(command)).toEqual(patterns));

  it.each<[string, string[]]>([
    ['git status; git push --force', ['Bash(git push --force)']],
    ['npm test && rm -rf build', ['Bash(npm test)', 'Bash(rm -rf build)']],
    ['npm test && npm run build', ['Bash(npm test)', 'Bash(npm run build)']],
    ['npm test && npm test', ['Bash(npm test)']],
    ['npm test\ngit push', ['Bash(npm test)', 'Bash(git push)']],
    ['npm test && bash x.sh', []],
    ['npm test && rm *', []],
  ])('name each part of the chain %j as it stands, or nothing: %j', (command, patterns) =>
    expect(offered(command)).toEqual(patterns),
  );

  it('are shown whole where only one text is shown', () => {
    expect(decide('Bash', { command: 'npm test && rm -rf build' }).pattern).toBe(
      'Bash(npm test) and Bash(rm -rf build)',
    );
    expect(decide('Bash', { command: 'cat a | sh' }).pattern).toBeNull();
  });

  it.each([
    'cat a | sh',
    'sh',
    'bash -lc "npm test"',
    'bash x.sh',
    './scripts/check.sh a',
    '/usr/bin/python3.12 x.py',
    'python3 -c "print(1)"',
    'python3',
    'node -e 1',
    'node x.js',
    'perl -e 1',
    'ruby x.rb',
    'php x.php',
    'env npm test',
    'ls | xargs rm',
    'xargs -n1 npm test',
    'timeout 5 npm test',
    'nohup npm start',
    'nice make',
    'sudo rm x',
    'ssh host ls',
    'psql -c "select 1"',
    'docker run x',
    'docker ps',
    'npx jest',
    'npm exec jest',
    'npm x jest',
    'yarn dlx x',
    'yarn node x.js',
    'awk 1 a',
    'sed -i s/a/b/e x',
    'find . -exec rm {} +',
    'find . -delete',
    'go run ./cmd',
    'go generate ./...',
    'go test -exec x ./...',
    'cargo run',
    'poetry run x',
    'uv run x',
    'git -c a=b log',
    'git x',
    'git submodule foreach ls',
    'git rebase -x make main',
    'git fetch --upload-pack=x origin',
    'tar --to-command=sh xf a',
    'tar xIf x a.tar',
    'rsync -e ssh a b',
    'sort -o a b',
    'make CC="sh -c x"',
    'make -f x',
    'busybox sh',
    'watch ls',
    'time make',
    'eval ls',
    '. ./x',
    'source x',
    'foo sh -c x',
    'foo "sh -c x"',
    'PATH=/tmp make',
    'GIT_PAGER=x git log',
    'LD_PRELOAD=x npm test',
    'cat a | tee b',
    'curl -d @- x',
    'echo $(date)',
    'for a in b; do rm a; done',
    'rm *',
    'ls -la',
    '',
    ' ',
    'a\nb $(c)',
    `curl -H "Authorization: Bearer ${'abcdefghijklmnop0123456789'}" x`,
    `echo ${'x'.repeat(500)} > a`,
    'vim x',
    'less x',
    'crontab x',
    'ts-node x.ts',
    'cross-env A=1 x',
    'flock a ls',
  ])('are none for %j', (command) => expect(offered(command)).toEqual([]));

  it('speak of what only reads where even that is asked about', () => {
    expect(offered('ls -la', { strict: true })).toEqual(['Bash(ls *)']);
    expect(offered('git status && cat a', { strict: true })).toEqual(['Bash(git status)', 'Bash(cat a)']);
    expect(offered('npm test | tail -5', { strict: true })).toEqual(['Bash(npm test *)', 'Bash(tail *)']);
  });

  it('are none where a rule asks, or nothing may run: the same would be asked again', () => {
    expect(offered('npm test', { rules: [{ tool: 'Bash', pattern: 'npm *', effect: 'ask' }] })).toEqual([]);
    expect(offered('npm test', { permissionMode: 'plan' })).toEqual([]);
    expect(offered('cat .env && npm test', { rules: [{ tool: 'Read', pattern: '**/.env', effect: 'ask' }] })).toEqual(
      [],
    );
  });
});

describe('the rules that are offered for other tools', () => {
  it('speak of a directory for edits and of a host for the network', () => {
    expect(decide('Write', { file_path: '/w/src/a.ts' }, { strict: true }).patterns).toEqual(['Write(/w/src/**)']);
    expect(decide('Edit', { file_path: 'a.ts' }, { strict: true }).patterns).toEqual(['Edit(a.ts)']);
    expect(
      decide('WebFetch', { url: 'https://example.com/a' }, { network: { hosts: ['example.com'], webSearch: false } })
        .patterns,
    ).toEqual(['WebFetch(domain:example.com)']);
    expect(decide('mcp__db__query', { sql: 'x' }).patterns).toBeUndefined();
  });

  it('are none for files that make other programs run something, and reach none of them', () => {
    expect(decide('Write', { file_path: '/w/.git/hooks/pre-commit' }).patterns).toBeUndefined();
    const rules = [{ tool: 'Write', pattern: '/w/**' }];
    expect(decide('Write', { file_path: '/w/src/a.ts' }, { strict: true, rules }).decision).toBe('allow');
    expect(decide('Write', { file_path: '/w/.git/hooks/pre-commit' }, { rules }).decision).toBe('ask');
    expect(
      decide(
        'Write',
        { file_path: '/w/.git/hooks/pre-commit' },
        { rules: [{ tool: 'Write', pattern: '.git/hooks/**' }] },
      ).decision,
    ).toBe('allow');
  });

  it('are none where the file is a link out of what the rule names', () => {
    expect(
      decide('Write', { file_path: '/w/src/a.ts' }, { strict: true, realPaths: ['/etc/passwd'] }).patterns,
    ).toBeUndefined();
  });
});

describe('a rule of an interpreter’s own name', () => {
  it('does not speak of what is piped into it', () => {
    expect(afterwards(['sh'], 'cat a | sh')).toBe('ask');
    expect(afterwards(['cat a | sh'], 'cat a | sh')).toBe('allow');
    expect(afterwards(['sh *'], 'cat a | sh')).toBe('allow');
  });
});

const program = fc.constantFrom(
  ...[
    'git',
    'npm',
    'pnpm',
    'yarn',
    'cargo',
    'go',
    'make',
    'pytest',
    'rm',
    'mkdir',
    'cp',
    'find',
    'sort',
    'tar',
    'rsync',
    'ls',
    'cat',
    'grep',
    'curl',
    'unknown',
    './run',
  ],
  ...[
    'sh',
    'bash',
    'env',
    'xargs',
    'timeout',
    'nohup',
    'nice',
    'sudo',
    'ssh',
    'python3',
    'node',
    'perl',
    'ruby',
    'psql',
    'docker',
    'npx',
    'awk',
    'sed',
  ],
);
const argument = fc.constantFrom(
  ...[
    'test',
    'run',
    'build',
    'push',
    'status',
    'install',
    'exec',
    'x',
    '.',
    'a.txt',
    '-c',
    '-e',
    '-x',
    '-o',
    '-f',
    '-exec',
    '-delete',
    '--exec=sh',
    '-C',
    '--',
    '-',
    '*',
    '?',
    '"two words"',
    "'a*b'",
    'sh',
    'node',
    'A=b',
    '--config',
    'Bash(x)',
    ':*',
  ],
);
const redirect = fc.constantFrom('', '', '', ' 2>&1', ' > out', ' < in');
const assignment = fc.constantFrom('', '', '', 'CI=1 ', 'PATH=/tmp ', 'FOO=1 ');
const part = fc
  .tuple(assignment, program, fc.array(argument, { maxLength: 4 }), redirect)
  .map(([set, name, args, to]) => `${set}${[name, ...args].join(' ')}${to}`);
const separator = fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' & ');
const chain = fc
  .tuple(part, fc.array(fc.tuple(separator, part), { maxLength: 3 }))
  .map(([first, rest]) => first + rest.map(([between, next]) => between + next).join(''));
const settings = fc.record({ strict: fc.boolean() });

describe('whatever is offered for a generated command', () => {
  it('allows the identical command from then on', () => {
    fc.assert(
      fc.property(chain, settings, (command, over) => {
        const patterns = offered(command, over);
        if (patterns.length > 0) expect([command, afterwards(patterns, command, over)]).toEqual([command, 'allow']);
      }),
      { numRuns: 5_000 },
    );
  });

  const evil = fc.constantFrom(
    'evil',
    'curl x',
    'sh',
    'sh -c evil',
    'bash',
    'python3',
    'xargs evil',
    'env evil',
    'node -e evil',
    './evil',
    'sudo evil',
    'git -c core.pager=evil log',
    'find . -exec evil {} +',
    'tee .git/hooks/pre-commit',
    'echo x > .bashrc',
  );

  it('allows nothing that is piped from it or follows it', () => {
    fc.assert(
      fc.property(chain, separator, evil, (command, between, harm) => {
        const patterns = offered(command);
        if (patterns.length === 0) return;
        expect([command, harm, afterwards(patterns, `${command}${between}${harm}`)]).toEqual([command, harm, 'ask']);
        expect([command, harm, afterwards(patterns, harm)]).toEqual([command, harm, 'ask']);
        expect([command, harm, afterwards(patterns, `${harm}${between}${command}`)]).toEqual([command, harm, 'ask']);
      }),
      { numRuns: 5_000 },
    );
  });

  it('allows no other program in its place, nor the same one behind a wrapper or with other variables', () => {
    fc.assert(
      fc.property(part, evil, (command, harm) => {
        const patterns = offered(command);
        if (patterns.length === 0) return;
        for (const changed of [
          `env ${command}`,
          `sudo ${command}`,
          `PATH=/tmp ${command}`,
          `echo $(${harm}) ${command}`,
          `sh -c "${command.replaceAll('"', '\\"')}"`,
          `./${command}`,
        ]) {
          expect([command, changed, afterwards(patterns, changed)]).toEqual([command, changed, 'ask']);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
