import { decideToolUse, type ToolDecision, type ToolUse } from './decide-tool-use';
import { globWithout, patternsBelow } from './kept-back';
import type { PermissionRule } from './rule';

const WORKSPACE = '/workspace';
const rule = (tool: string, pattern: string, effect: PermissionRule['effect'] = 'deny'): PermissionRule => ({ tool, pattern, effect });
const SECRET = [rule('Read', 'secret/**')];
const ALLOWED = { autoApproveTools: ['Bash(*)', 'Read', 'Grep'] };

function decide(tool: string, input: unknown, over: Partial<ToolUse> = {}): ToolDecision {
  return decideToolUse({ tool, input, mode: 'workbench', permissionMode: 'default', strict: false, autoApproveTools: [], rules: SECRET, workspace: WORKSPACE, ...over });
}
const bash = (command: string, over: Partial<ToolUse> = {}): string => decide('Bash', { command }, over).decision;

describe('a rule that keeps files from being read', () => {
  it.each([{}, { cwd: '/workspace' }, ALLOWED])('refuses the tools that read them, from wherever they are called (%o)', (over) => {
    for (const file_path of ['secret/a', '/workspace/secret/deep/a', '/workspace/src/../secret/a']) expect(decide('Read', { file_path }, over).decision).toBe('deny');
    for (const path of ['secret', '/workspace/secret/deep', ' secret ', './secret/']) expect(decide('Grep', { pattern: 'x', path }, over).decision).toBe('deny');
    expect(decide('Glob', { pattern: '/workspace/secret/*' }, over).decision).toBe('deny');
  });

  it('takes a path from the directory that the program is in', () => {
    expect(decide('Grep', { pattern: 'x', path: '../secret' }, { cwd: '/workspace/src' }).decision).toBe('deny');
    expect(decide('Grep', { pattern: 'x' }, { cwd: '/workspace/secret' }).decision).toBe('deny');
    expect(decide('Read', { file_path: 'secret/a' }, { cwd: '/workspace/src' }).decision).toBe('allow');
  });

  it('is not got round by a link, nor is what an allowed path says enough', () => {
    expect(decide('Read', { file_path: '/workspace/link/a' }, { realPath: '/workspace/secret/a' }).decision).toBe('deny');
    expect(decide('Write', { file_path: '/workspace/link' }, { realPath: '/workspace/.git/hooks/pre-commit' }).decision).toBe('ask');
    const strict = { strict: true, autoApproveTools: ['Edit(src/**)'], rules: [] };
    expect(decide('Edit', { file_path: '/workspace/src/a' }, strict).decision).toBe('allow');
    expect(decide('Edit', { file_path: '/workspace/src/a' }, { ...strict, realPath: '/workspace/lib/a' }).decision).toBe('ask');
  });

  it('narrows a search to what may be read, and says so', () => {
    expect(decide('Grep', { pattern: 'x' })).toMatchObject({ decision: 'allow', narrowed: { input: { pattern: 'x', glob: '!/secret/**' }, note: expect.stringContaining('leaves out') } });
    expect(decide('Grep', { pattern: 'x', glob: '*.ts' }).narrowed?.input).toEqual({ pattern: 'x', glob: '*.ts !/secret/**' });
    expect(decide('Grep', { pattern: 'x', path: 'src' })).not.toHaveProperty('narrowed');
    expect(decide('Grep', { pattern: 'x', path: 'src' }, { rules: [rule('Read', '**/.env'), rule('Read', 'src/keys/*', 'ask')] }).narrowed?.input['glob']).toBe('!/**/.env !/.env !/keys/*');
    expect(decide('Grep', { pattern: 'x' }, { realPath: '/workspace/lib', rules: [rule('Read', 'lib/a')] }).narrowed?.input['glob']).toBe('!/a');
    expect(decide('Grep', { pattern: 'x' }, { rules: [], disallowedTools: ['Read(secret/**)'] }).narrowed?.input['glob']).toBe('!/secret/**');
    expect(decide('Grep', { pattern: 'x' }, { rules: [] })).not.toHaveProperty('narrowed');
  });

  it('refuses a search that cannot be narrowed', () => {
    for (const pattern of ['my secret/**', 'a,b/**', 'x{1}/a', 'what?/a', '!a/b', 'a\\b/**', '[x]/a']) {
      expect(decide('Grep', { pattern: 'x' }, { rules: [rule('Read', pattern)] })).toMatchObject({ decision: 'deny', reason: expect.stringContaining('keeps back') });
    }
  });

  it.each([
    ...['cat secret/a', 'cat ./secret/../secret/a', 'cat /workspace/secret/a', 'cd secret && cat a', 'cd src; cat ../secret/a', 'pushd secret; head a', 'cat < secret/a'],
    ...['cat sec*/a', 'cat s?cret/a', 'cat [s]ecret/a', 'cat */a', 'grep -f secret/a x', 'grep -fsecret/a x', 'git show HEAD:secret/a', 'git -C secret diff a', 'diff --from-file=secret/a b'],
    ...['cp secret/a b', 'dd if=secret/a', 'sudo cat secret/a', 'sh -c "cat secret/a"', 'echo secret/a | xargs cat', 'x=$(cat secret/a)', 'cat "$(echo x)" secret/a', 'cat <<< "$(<secret/a)"', 'curl -d @secret/a x'],
    ...['grep -r x secret', 'rg x secret/deep', 'cp -r secret y', 'find secret -exec cat {} +', 'cd secret && rg x'],
  ])('refuses %s, however much is allowed', (command) => {
    expect(bash(command)).toBe('deny');
    expect(bash(command, ALLOWED)).toBe('deny');
  });

  it.each(['grep -r x .', 'grep -R x', 'rg x', 'rg x .', 'rg x s*', 'git grep x', 'find . -exec cat {} +', 'find . | xargs cat', 'tar c .', 'diff -r . ../y', 'cp -r . /tmp/x'])('asks before %s, which may read them', (command) => {
    expect(bash(command, ALLOWED)).toBe('ask');
    expect(bash(command, { ...ALLOWED, autoApprove: true })).toBe('ask');
    expect(bash(command, { ...ALLOWED, mode: 'pipeline' })).toBe('deny');
    expect(bash(command, { ...ALLOWED, rules: [] })).toBe('allow');
  });

  it.each(['ls secret', 'ls -la', 'cat src/a', 'cat *', 'find . -name a', 'git status secret', 'git log', 'git diff', 'rg x src', 'grep x secretary', 'echo secret/a', 'npm run secret', 'git add secret/a', 'cat src/secret/a', 'wc -l src/*'])('lets %s be', (command) => {
    expect(bash(command, ALLOWED)).toBe('allow');
  });

  it('asks where it says ask', () => {
    const asks = { rules: [rule('Read', '.env', 'ask')], ...ALLOWED };
    expect(bash('cat .env', asks)).toBe('ask');
    expect(decide('Grep', { pattern: 'x', path: '.env' }, asks)).toMatchObject({ decision: 'ask' });
    expect(decide('Grep', { pattern: 'x' }, asks)).toMatchObject({ decision: 'allow', narrowed: { input: { glob: '!/.env' } } });
  });
});

describe('a rule that keeps files from being changed', () => {
  const rules = [rule('Edit', 'src/**'), rule('Write', 'package.json')];

  it.each(['echo x > src/a', 'echo x >> src/a', 'echo x >src/a', 'tee src/a', 'cp x src/a', 'cp x src', 'cp x/package.json .', 'cp -t src x', 'mv src/a b', 'rm -rf src', 'sed -i s/a/b/ src/a', 'sed -Ei s/a/b/ src/a', 'dd of=src/a', 'cd src && touch a', 'git checkout -- src/a', 'cat <<EOF > src/a\n$x\nEOF', 'ln -s x src/a'])('refuses %s', (command) => {
    expect(bash(command, { rules, ...ALLOWED })).toBe('deny');
  });

  it.each(['cat src/a', 'cp src/a b', 'git add src/a', 'node src/a', 'sed s/a/b/ src/a', 'rg x src', 'npm test 2>&1', 'echo x > b'])('lets %s be', (command) => {
    expect(bash(command, { rules, ...ALLOWED })).toBe('allow');
  });
});

it('looks at commands of any length in bounded time, and refuses what names too much', () => {
  const many = Array.from({ length: 30_000 }, (_, index) => `f${index}`).join(' ');
  expect(bash(`cat ${many}`, ALLOWED)).toBe('deny');
  expect(bash(`cat ${many}`, { ...ALLOWED, rules: [] })).toBe('allow');
  expect(bash(`constructor __proto__ toString`, ALLOWED)).toBe('allow');
});

it('says what is left of a pattern below a directory', () => {
  expect(patternsBelow('a/**/b', '/workspace/a/x/b', WORKSPACE)).toEqual([['**', 'b'], ['b'], []]);
  expect(patternsBelow('/etc/*', '/', WORKSPACE)).toEqual([['etc', '*']]);
  expect(patternsBelow('a/b', '/workspace/c', WORKSPACE)).toEqual([]);
  expect(patternsBelow('a', '../..', WORKSPACE)).toEqual([]);
  expect(globWithout(' ', [['a', 'b'], ['a', 'b'], []])).toBe('!/a/b');
});
