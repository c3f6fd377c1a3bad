import { decideToolUse, type ToolUse } from './decide-tool-use';

function decide(tool: string, input: unknown, over: Partial<ToolUse> = {}): ReturnType<typeof decideToolUse> {
  return decideToolUse({
    tool,
    input,
    mode: 'workbench',
    permissionMode: 'default',
    strict: false,
    autoApproveTools: [],
    rules: [],
    ...over,
  });
}
const bash = (command: string, over: Partial<ToolUse> = {}): string => decide('Bash', { command }, over).decision;
const write = (path: string, over: Partial<ToolUse> = {}): string =>
  decide('Write', { file_path: path, content: '' }, over).decision;

describe('deciding about a tool', () => {
  it.each(['Read', 'Glob', 'Grep', 'LS', 'TodoWrite', 'TaskCreate', 'TaskUpdate', 'Task', 'Agent'])(
    'allows %s, also in strict and in plan mode',
    (tool) => {
      for (const over of [{}, { strict: true }, { permissionMode: 'plan' as const }, { mode: 'pipeline' as const }])
        expect(decide(tool, {}, over).decision).toBe('allow');
    },
  );

  it.each(['Edit', 'Write', 'NotebookEdit', 'MultiEdit'])(
    'allows %s, asks in strict mode, refuses it while planning',
    (tool) => {
      expect(decide(tool, { file_path: 'src/a.ts' })).toEqual({
        decision: 'allow',
        reason: 'changes inside the workspace are allowed',
        pattern: null,
      });
      expect(decide(tool, { file_path: 'src/a.ts' }, { strict: true }).decision).toBe('ask');
      expect(decide(tool, { file_path: 'src/a.ts' }, { permissionMode: 'plan' }).decision).toBe('deny');
    },
  );

  it('lets the plan itself be written while planning', () => {
    expect(write('/home/agent/.claude/plans/quiet-fox.md', { permissionMode: 'plan' })).toBe('allow');
    expect(write('/config/plans/quiet-fox.md', { permissionMode: 'plan' })).toBe('allow');
    for (const path of [
      '/workspace/src/plans.md',
      '/workspace/config/plans/a.md',
      '/config/plans/../../workspace/config/plans/a.md',
      'config/plans/a.md',
    ]) {
      expect(write(path, { permissionMode: 'plan' })).toBe('deny');
    }
  });

  it.each([
    '.git/hooks/pre-commit',
    '/workspace/.git/config',
    'src/../.git/config',
    '.claude/settings.json',
    '.mcp.json',
    '../outside.ts',
    '.GIT/config',
  ])('asks before writing %s', (path) => {
    expect(write(path)).toBe('ask');
  });

  it('asks for commands but for the ones that only read, and for those too in strict mode', () => {
    expect(decide('Bash', { command: 'npm test' })).toEqual({
      decision: 'ask',
      reason: 'no rule allows “npm”',
      pattern: 'Bash(npm test *)',
      patterns: ['Bash(npm test *)'],
    });
    expect(bash('git status | head')).toBe('allow');
    expect(bash('git status | head', { strict: true })).toBe('ask');
    expect(bash('echo $(rm x)')).toBe('ask');
  });

  const open = { network: { hosts: ['example.com'], webSearch: false } };

  it('refuses the network unless the project has opened it, and then asks', () => {
    expect(decide('WebFetch', { url: 'https://example.com/a' })).toEqual({
      decision: 'deny',
      reason: 'this project allows no network access',
      pattern: null,
    });
    expect(decide('WebFetch', { url: 'https://example.com/a' }, open)).toMatchObject({
      decision: 'ask',
      pattern: 'WebFetch(domain:example.com)',
    });
    expect(decide('WebFetch', { url: 'https://other.example/a' }, open)).toMatchObject({
      decision: 'deny',
      reason: "other.example is not on this project's list of hosts",
    });
    expect(decide('WebFetch', { url: 'https://example.com:8443/' }, open).decision).toBe('deny');
    expect(decide('WebFetch', { url: 'file:///etc/passwd' }, open).decision).toBe('deny');
    expect(decide('WebFetch', {}, open).decision).toBe('deny');
    expect(decide('WebSearch', { query: 'x' }, open)).toMatchObject({
      decision: 'deny',
      reason: 'this project does not allow searching the web',
    });
    expect(decide('WebSearch', { query: 'x' }, { network: { hosts: [], webSearch: true } }).decision).toBe('ask');
  });

  it.each(['AskUserQuestion', 'ExitPlanMode'])('puts %s to a person, whatever the rules say', (tool) => {
    expect(decide(tool, {}, { autoApproveTools: [tool] }).decision).toBe('ask');
    expect(decide(tool, {}, { mode: 'pipeline' }).decision).toBe('deny');
  });

  it.each(['mcp__db__query', 'Skill', 'CronCreate', 'Monitor', 'SomethingNew'])(
    'asks for %s, which it knows nothing about',
    (tool) => expect(decide(tool, {}).decision).toBe('ask'),
  );

  it('asks no one in a pipeline or where the session does not ask', () => {
    expect(decide('Bash', { command: 'npm test' }, { mode: 'pipeline' })).toMatchObject({
      decision: 'deny',
      reason: 'no rule allows “npm”, and a pipeline never waits for a person',
    });
    expect(decide('Bash', { command: 'npm test' }, { permissionMode: 'dontAsk' })).toMatchObject({
      decision: 'deny',
      reason: 'no rule allows “npm”, and this session does not ask',
    });
    expect(bash('npm test', { mode: 'pipeline', autoApproveTools: ['Bash(npm test)'] })).toBe('allow');
  });
});

describe('rules', () => {
  it('allow by pattern, written with or without the tool around it', () => {
    for (const pattern of ['npm test *', 'Bash(npm test *)', null])
      expect(bash('npm test -- a', { rules: [{ tool: 'Bash', pattern }] })).toBe('allow');
    expect(bash('npm testify', { rules: [{ tool: 'Bash', pattern: 'npm test *' }] })).toBe('ask');
    expect(bash('npm test', { autoApproveTools: ['Bash(npm test *)'] })).toBe('allow');
    expect(bash('npm test', { autoApproveTools: ['Bash('] })).toBe('ask');
  });

  it('deny beats ask beats allow', () => {
    const allow = { tool: 'Bash', pattern: null };
    const ask = { tool: 'Bash', pattern: 'npm *', effect: 'ask' as const };
    const deny = { tool: 'Bash', pattern: 'npm publish *', effect: 'deny' as const };
    expect(bash('npm test', { rules: [allow] })).toBe('allow');
    expect(bash('npm test', { rules: [allow, ask] })).toBe('ask');
    expect(bash('npm publish', { rules: [allow, ask, deny] })).toBe('deny');
    expect(bash('npm test', { disallowedTools: ['Bash'], rules: [allow] })).toBe('deny');
  });

  it.each([
    'rm -rf x',
    'ls && rm x',
    'sudo rm x',
    'env A=1 rm x',
    'xargs rm',
    'bash -c "rm x"',
    'sh -c "sudo rm x"',
    '/bin/rm x',
    'echo $(rm x)',
    'echo `rm x`',
    'find . -exec rm {} +',
    'if true; then rm x; fi',
    'timeout 5 rm x',
  ])('refuse %j where rm is refused, although everything is allowed', (command) =>
    expect(
      bash(command, {
        rules: [
          { tool: 'Bash', pattern: null },
          { tool: 'Bash', pattern: 'rm *', effect: 'deny' },
        ],
      }),
    ).toBe('deny'),
  );

  it.each([
    'r""m -rf $HOME',
    "r''m $X",
    'r\\m "$X"',
    `echo $X ${'a '.repeat(500)}; rm -rf $HOME`,
    `env ${'A=1 '.repeat(500)} rm x`,
  ])('finds what a rule refuses however it is written: %#', (command) =>
    expect(
      bash(command, {
        rules: [
          { tool: 'Bash', pattern: null },
          { tool: 'Bash', pattern: 'rm *', effect: 'deny' },
        ],
      }),
    ).toBe('deny'),
  );

  it('looks through a very long command, and finds nothing where nothing is refused', () => {
    const command = `echo $X ${'a '.repeat(200_000)}`;
    expect(
      bash(command, {
        rules: [
          { tool: 'Bash', pattern: null },
          { tool: 'Bash', pattern: 'rm *', effect: 'deny' },
        ],
      }),
    ).toBe('allow');
  });

  it('do not refuse what only speaks of a refused command', () => {
    expect(
      bash('git commit -m "rm x"', {
        rules: [
          { tool: 'Bash', pattern: null },
          { tool: 'Bash', pattern: 'rm *', effect: 'deny' },
        ],
      }),
    ).toBe('allow');
  });

  it('for paths are meant from the workspace, and Edit speaks for every edit', () => {
    const rules = [{ tool: 'Edit', pattern: 'src/**' }];
    const over = { strict: true, rules, workspace: '/w' };
    expect(write('/w/src/a/b.ts', over)).toBe('allow');
    expect(write('src/a.ts', over)).toBe('allow');
    expect(write('/w/src/../secret.ts', over)).toBe('ask');
    expect(write('/w2/src/a.ts', over)).toBe('ask');
    expect(write('/w/lib/src/a.ts', over)).toBe('ask');
    expect(
      decide(
        'Read',
        { file_path: '/w/.env' },
        { workspace: '/w', rules: [{ tool: 'Read', pattern: '**/.env', effect: 'deny' }] },
      ).decision,
    ).toBe('deny');
  });

  it('for an MCP server speak for all of its tools', () => {
    for (const tool of ['mcp__db', 'mcp__db__query', 'mcp__db__*'])
      expect(decide('mcp__db__query', {}, { autoApproveTools: [tool] }).decision).toBe('allow');
    expect(decide('mcp__db2__query', {}, { autoApproveTools: ['mcp__db'] }).decision).toBe('ask');
  });

  it('with a pattern that a tool cannot have allow nothing', () => {
    expect(decide('SomethingNew', { a: 'x' }, { rules: [{ tool: 'SomethingNew', pattern: 'x' }] }).decision).toBe(
      'ask',
    );
  });

  it('do not let commands change anything while planning', () => {
    expect(bash('npm test', { permissionMode: 'plan', rules: [{ tool: 'Bash', pattern: null }] })).toBe('ask');
    expect(bash('git status', { permissionMode: 'plan' })).toBe('allow');
  });
});
