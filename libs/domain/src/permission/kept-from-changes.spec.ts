import { ALLOWED, bash, decide, rule, SECRET, WORKSPACE } from '../../test/decide-in-workbench';
import { filesOfCommand } from './files-of-command';
import { globWithout, patternsBelow } from './kept-back';

describe('a rule that keeps files from being changed', () => {
  const rules = [rule('Edit', 'src/**'), rule('Write', 'package.json'), rule('Edit', 'db/migrations/**')];

  it.each([
    ...[
      'echo x > src/a',
      'echo x >> src/a',
      'echo x >src/a',
      'echo x > ../../workspace/src/a',
      'tee src/a',
      'cp x src/a',
      'cp x src',
      'cp x/package.json .',
      'cp x package.json',
      'cp -t src x',
      'mv src/a b',
      'mv src b',
      'mv a src/b',
      'rm -rf src',
      'rm src/a',
      'sed -i s/a/b/ src/a',
      'sed -Ei s/a/b/ src/a',
      'dd of=src/a',
      'cd src && touch a',
      'git checkout -- src/a',
      'git checkout src',
      'git restore src/a',
      'git rm src/a',
    ],
    ...[
      'ln -s x src/a',
      'sudo rm src/a',
      'timeout 5 sh -c "rm -rf src"',
      'find src -delete',
      'find src -name a -exec sed -i s/a/b/ {} +',
      'find src -type f | xargs rm',
      'chmod +x src/a',
      'curl -o src/a x',
      'sort -o src/a x',
      'npx prettier --write src/a',
      'awk -i inplace 1 src/a',
      'gzip src/a',
      'tar xf x.tar -C src',
      'git mv src/a b',
      'git stash push src/a',
    ],
    ...[
      'curl -so src/a x',
      'curl -sSLo src/a x',
      'curl --output=src/a x',
      'curl -osrc/a x',
      'wget -qO src/a x',
      'sort --output=src/a x',
      'tar xzf x -Csrc',
      'tar --extract -f x --directory=src',
      'unzip x -d src',
      'wget -P src x',
      'perl -0pi -e s/a/b/ src/a',
      'gawk -iinplace 1 src/a',
      'npx --yes prettier@3 --write src/a',
      'npx prettier --write src',
      'npx npx npx npx prettier --write src/a',
      'black src/a',
      'gofmt -w src/a',
      'mv /tmp/src .',
      'cp -r /tmp/src .',
      "cat <<'EOF' > src/a\nx\nEOF",
      'fd . src -x rm',
    ],
  ])('refuses %s', (command) => {
    expect(bash(command, { rules, ...ALLOWED })).toBe('deny');
  });

  it.each([
    'rm -rf s*',
    'rm -rf *',
    'rm -rf .',
    'git checkout -- .',
    'git restore .',
    'rm -rf db',
    'mv db x',
    'git checkout main -- db',
    'cat <<EOF > src/a\n$x\nEOF',
    'for f in src/*; do rm "$f"; done',
    'echo x > $PWD/src/a',
    'echo x > "$PWD"/src/a',
    'git clean -fd',
    'cp /tmp/x/* .',
    'rsync -a /tmp/x/ .',
    'find src -exec sh -c "rm {}" \\;',
    'cp /tmp/package.json /workspace',
    "python3 -c \"open('src/a','w')\"",
    'sed -i s/a/b/ s*/a',
  ])('asks before %s', (command) => {
    expect(bash(command, { rules, ...ALLOWED })).toBe('ask');
  });

  it.each([
    'cat src/a',
    'cp src/a b',
    'git add src/a',
    'git commit -m "x" src/a',
    'git checkout main',
    'git checkout -b src2',
    'node src/a',
    'sed s/a/b/ src/a',
    'rg x src',
    'npm test 2>&1',
    'echo "$HOME" 2>&1',
    'echo x > b',
    'npm install ./package.json',
    'timeout 60 npm install ./package.json',
    'rm -rf node_modules',
    'cp package.json package.json.bak',
    'mkdir -p dist',
    'git restore --staged src/a',
    'git restore --staged .',
    'git rm --cached src/a',
    'VERSION=$(node -p "require(\'./package.json\').version") && echo $VERSION',
    'echo $(cat package.json | jq -r .version)',
    'if [ -f package.json ]; then npm test; fi',
    'sed -i s/a/b/ Makefile',
    'psql "$DATABASE_URL" -f db/migrations/001.sql',
    'tar czf x.tgz src',
  ])('lets %s be', (command) => {
    expect(bash(command, { rules, ...ALLOWED })).toBe('allow');
  });

  it('is not taken for one about reading, nor the other way round', () => {
    expect(bash('cat src/a', { rules: [rule('Grep', 'src/**')], ...ALLOWED })).toBe('allow');
    expect(bash('rm secret/a', ALLOWED)).toBe('allow');
  });
});

it.each([
  `cat ${Array.from({ length: 30_000 }, (_, index) => `f${index}`).join(' ')}`,
  `mv ${'a '.repeat(4_000)}${'b/'.repeat(25_000)}`,
  `cd ${'a/'.repeat(10_000)}; cat ${'a '.repeat(4_000)}`,
  `${'cd a; '.repeat(10_000)}cat b`,
  `${'sh -c '.repeat(20_000)}a`,
  `${'sudo '.repeat(20_000)}cat a`,
  `find ${'a '.repeat(20_000)}-exec cat {} +`,
  `${'env '.repeat(50_000)}x`,
  `${'npx '.repeat(50_000)}x`,
  `${'find . -exec '.repeat(15_000)}x`,
  `${'watch '.repeat(40_000)}x`,
  `cat ${Array.from({ length: 1_000 }, (_, index) => `a/b/c/d/e${index}`).join(' ')}`,
  `cat <<'EOF' ${"<<'EOF' ".repeat(20_000)}`,
  `${"cat <<'EOF'\n".repeat(10_000)}`,
  `${'('.repeat(50_000)}`,
  `${'if '.repeat(50_000)}`,
  `$x {${'a,'.repeat(50_000)}}`,
  `echo "${' )'.repeat(50_000)}x`,
  `cat ${'*a'.repeat(20_000)}`,
  `cat ${'*/'.repeat(2_000)}`,
  `cat ${'../'.repeat(30_000)}`,
  `$x ${'secret/b '.repeat(10_000)}`,
  `cat ${'[a'.repeat(20_000)}`,
])('looks at no more than so many paths of a command of any length: %#', (command) => {
  const many = {
    rules: [
      ...SECRET,
      rule('Edit', 'src/**'),
      rule('Read', '**/a/**/b/**/*.pem'),
      ...Array.from({ length: 50 }, (_, index) => rule('Read', `x${index}/**/*a*a*a*`)),
    ],
    ...ALLOWED,
  };
  expect(['allow', 'ask', 'deny']).toContain(bash(command, many));
  expect(filesOfCommand(command, { workspace: WORKSPACE })?.length ?? 0).toBeLessThanOrEqual(500);
});

it('takes names of built-in properties for what they are', () => {
  expect(bash('constructor __proto__ toString', ALLOWED)).toBe('allow');
  for (const input of [null, [], 'x', { command: 1 }, { path: {} }, { file_path: [] }])
    for (const tool of ['Bash', 'Grep', 'Read', 'Glob', 'Edit']) expect(() => decide(tool, input)).not.toThrow();
});

it('says what is left of a pattern below a directory', () => {
  expect(patternsBelow('a/**/b', '/workspace/a/x/b', WORKSPACE)).toEqual([['**', 'b'], ['b'], []]);
  expect(patternsBelow('/etc/*', '/', WORKSPACE)).toEqual([['etc', '*']]);
  expect(patternsBelow('a/b', '/workspace/c', WORKSPACE)).toEqual([]);
  expect(patternsBelow('a', '../../..', WORKSPACE)).toEqual([['workspace', 'a']]);
  expect(patternsBelow('a', '..')).toEqual([]);
  expect(globWithout(' ', [['a', 'b'], ['a', 'b'], []])).toBe('!/a/b');
});
