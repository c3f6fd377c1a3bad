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

  it('forbid the network tools even where the options name them', () => {
    const args = claudeArguments({ ...launch, tools: ['WebFetch', 'Read'], disallowedTools: ['Bash'] });
    expect(valueOf(args, '--tools')).toBe('WebFetch,Read');
    expect(valueOf(args, '--disallowedTools')).toBe('WebFetch,WebSearch,Bash');
  });

  it('offer the network tools where the project has opened what they need', () => {
    const open = (network: ClaudeLaunch['network'], more: Partial<ClaudeLaunch> = {}) => {
      const args = claudeArguments({ ...launch, network, ...more });
      return [valueOf(args, '--tools')?.split(',').filter((tool) => tool.startsWith('Web')), args.includes('--disallowedTools') ? valueOf(args, '--disallowedTools') : null];
    };
    expect(open({ hosts: ['example.com'], webSearch: false })).toEqual([['WebFetch'], 'WebSearch']);
    expect(open({ hosts: [], webSearch: true })).toEqual([['WebSearch'], 'WebFetch']);
    expect(open({ hosts: ['example.com'], webSearch: true })).toEqual([['WebFetch', 'WebSearch'], null]);
    expect(open({ hosts: ['example.com'], webSearch: false }, { tools: ['Read'] })).toEqual([[], 'WebSearch']);
  });

  it('ask for the tools that are left when those taken away are', () => {
    expect(toolsAskedFor({ ...launch, tools: ['WebFetch', 'Read', 'Bash'], disallowedTools: ['Bash'] })).toEqual(['Read']);
    expect(toolsAskedFor(launch)).toEqual([...DEFAULT_TOOLS]);
  });

  it('ask the program’s maker about no host, where hosts can be reached at all', () => {
    expect(valueOf(claudeArguments({ ...launch, network: { hosts: ['example.com'], webSearch: false } }), '--settings')).toBe('{"skipWebFetchPreflight":true}');
    expect(claudeArguments({ ...launch, network: { hosts: [], webSearch: true } })).not.toContain('--settings');
  });

  it('resume only where there is something to resume', () => {
    expect(claudeArguments(launch)).not.toContain('--resume');
    expect(valueOf(claudeArguments({ ...launch, resume: 'abc' }), '--resume')).toBe('abc');
  });
});
