import { claudeArguments, DEFAULT_TOOLS, toolsAskedFor, type ClaudeLaunch } from './claude-arguments';

const launch: ClaudeLaunch = {
  model: 'sonnet',
  permissionMode: 'default',
  maxTurns: 25,
  tools: 'default',
  disallowedTools: [],
  network: { hosts: [], webSearch: false },
  promptFile: '/opt/chirality/prompt.md',
  resume: null,
};

const valueOf = (args: string[], flag: string) => args[args.indexOf(flag) + 1];

describe('the arguments of claude', () => {
  it('keep settings of the repository out and never bypass permissions', () => {
    const args = claudeArguments(launch);
    expect(valueOf(args, '--setting-sources')).toBe('');
    expect(args).toContain('--strict-mcp-config');
    expect(args.join(' ')).not.toMatch(/dangerously|bypass|--session-id|--allowedTools|--system-prompt /);
  });

  it('name the effort only where the options do', () => {
    expect(claudeArguments(launch)).not.toContain('--effort');
    expect(valueOf(claudeArguments({ ...launch, effort: 'high' }), '--effort')).toBe('high');
  });

  it('forbid the network tools even where the options name them', () => {
    const args = claudeArguments({ ...launch, tools: ['WebFetch', 'Read'], disallowedTools: ['Bash'] });
    expect(valueOf(args, '--tools')).toBe('WebFetch,Read');
    expect(valueOf(args, '--disallowedTools')).toBe('WebFetch,WebSearch,Bash');
  });

  it('offer the network tools where the project has opened what they need', () => {
    const open = (network: ClaudeLaunch['network'], more: Partial<ClaudeLaunch> = {}) => {
      const args = claudeArguments({ ...launch, network, ...more });
      return [
        valueOf(args, '--tools')
          ?.split(',')
          .filter((tool) => tool.startsWith('Web')),
        args.includes('--disallowedTools') ? valueOf(args, '--disallowedTools') : null,
      ];
    };
    expect(open({ hosts: ['example.com'], webSearch: false })).toEqual([['WebFetch'], 'WebSearch']);
    expect(open({ hosts: [], webSearch: true })).toEqual([['WebSearch'], 'WebFetch']);
    expect(open({ hosts: ['example.com'], webSearch: true })).toEqual([['WebFetch', 'WebSearch'], null]);
    expect(open({ hosts: ['example.com'], webSearch: false }, { tools: ['Read'] })).toEqual([[], 'WebSearch']);
  });

  it('ask for the tools that are left when those taken away are', () => {
    expect(toolsAskedFor({ ...launch, tools: ['WebFetch', 'Read', 'Bash'], disallowedTools: ['Bash'] })).toEqual([
      'Read',
    ]);
    expect(toolsAskedFor(launch)).toEqual([...DEFAULT_TOOLS]);
  });

  it('ask the program’s maker about no host, where hosts can be reached at all', () => {
    const settings = (network: ClaudeLaunch['network']) =>
      JSON.parse(valueOf(claudeArguments({ ...launch, network }), '--settings') ?? '') as object;
    expect(settings({ hosts: ['example.com'], webSearch: false })).toHaveProperty('skipWebFetchPreflight', true);
    expect(settings({ hosts: [], webSearch: true })).not.toHaveProperty('skipWebFetchPreflight');
  });

  it.each(['new', 'resumed'])('disable hooks and the shell lines of skills for a %s conversation', (kind) => {
    const args = claudeArguments({ ...launch, resume: kind === 'new' ? null : 'abc' });
    expect(JSON.parse(valueOf(args, '--settings') ?? '')).toEqual({
      disableAllHooks: true,
      disableSkillShellExecution: true,
    });
  });

  it('hold no name of a tool that reads as a flag', () => {
    const args = claudeArguments({
      ...launch,
      tools: ['--dangerously-skip-permissions', 'Read'],
      disallowedTools: ['-p', 'Bash'],
    });
    expect(valueOf(args, '--tools')).toBe('Read');
    expect(valueOf(args, '--disallowedTools')).toBe('WebFetch,WebSearch,Bash');
    expect(args.join(' ')).not.toContain('dangerously');
    expect(toolsAskedFor({ ...launch, tools: ['--verbose', 'Read'] })).toEqual(['Read']);
  });

  it('resume only where there is something to resume', () => {
    expect(claudeArguments(launch)).not.toContain('--resume');
    expect(valueOf(claudeArguments({ ...launch, resume: 'abc' }), '--resume')).toBe('abc');
  });

  it.each(['--dangerously-skip-permissions', '--settings=/workspace/a.json', '-c', '', 'a b'])(
    'hold no conversation by the name %j',
    (resume) => {
      expect(claudeArguments({ ...launch, resume })).toEqual(claudeArguments(launch));
    },
  );
});
