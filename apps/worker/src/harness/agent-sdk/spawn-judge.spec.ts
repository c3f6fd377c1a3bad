import { NO_NETWORK } from '@chirality/domain';
import { claudeCode } from '../claude-code/claude-code';
import type { HarnessSpec } from '../harness';
import { queryStart, sdkVariables, withoutSecrets } from './query-start';
import { spawnDifferences, type SpawnRequest } from './spawn-judge';

const OURS: SpawnRequest = {
  command: '/opt/claude/claude',
  args: ['-p', '--output-format', 'stream-json', '--verbose', '--setting-sources', '', '--model', 'opus'],
  cwd: '/workspace',
  env: { HOME: '/home/agent', PATH: '/usr/bin' },
};
/** As the SDK writes the same. */
const SAME: SpawnRequest = {
  ...OURS,
  args: ['--output-format', 'stream-json', '--verbose', '--model=opus', '--setting-sources='],
};

describe('what the SDK would start, beside what was started', () => {
  it('is the same in another order and another form', () => expect(spawnDifferences(SAME, OURS)).toEqual([]));

  it.each<[string, Partial<SpawnRequest>, string[]]>([
    ['another program', { command: '/bin/sh' }, ['program']],
    ['another directory', { cwd: '/' }, ['working directory']],
    ['no directory', { cwd: null }, ['working directory']],
    ['one more flag', { args: [...SAME.args, '--add-dir=/'] }, ['argument --add-dir']],
    ['one flag less', { args: SAME.args.slice(0, -1) }, ['argument --setting-sources']],
    [
      'another value',
      { args: [...SAME.args.slice(0, -2), '--model=sonnet', '--setting-sources='] },
      ['argument --model'],
    ],
    ['a flag twice', { args: [...SAME.args, '--model=opus'] }, ['arguments that cannot be read']],
    ['a word that belongs to no flag', { args: ['hello', ...SAME.args] }, ['arguments that cannot be read']],
    ['one more variable', { env: { ...OURS.env, NODE_OPTIONS: '-r /x' } }, ['variable NODE_OPTIONS']],
    ['one variable less', { env: { HOME: '/home/agent' } }, ['variable PATH']],
    ['another value of a variable', { env: { ...OURS.env, HOME: '/root' } }, ['variable HOME']],
  ])('differs by %s, which is named without its value', (_what, change, differences) =>
    expect(spawnDifferences({ ...SAME, ...change }, OURS)).toEqual(differences),
  );
});

describe('how the SDK is called', () => {
  const spec: HarnessSpec = {
    model: 'sonnet',
    effort: 'high',
    permissionMode: 'plan',
    maxTurns: 7,
    tools: [],
    disallowedTools: ['Bash', 'Edit'],
    network: NO_NETWORK,
    resume: 'c-1',
  };

  it('has an option for what it knows as one, and passes on the rest', () => {
    const args = claudeCode.argumentsFor(spec);
    const { options } = queryStart({ command: 'c', args, cwd: '/workspace', env: {} });
    expect(options).toMatchObject({
      model: 'sonnet',
      effort: 'high',
      permissionMode: 'plan',
      maxTurns: 7,
      tools: [],
      disallowedTools: ['WebFetch', 'WebSearch', 'Bash', 'Edit'],
      resume: 'c-1',
      extraArgs: { 'append-system-prompt-file': '/opt/chirality/prompt.md', 'system-prompt-snapshot': 'off' },
    });
  });

  it('says nothing of what opens the way to the model', () => {
    const env = withoutSecrets({ ANTHROPIC_API_KEY: 'gw_secret', ...sdkVariables('0.3.332') });
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'withheld', CLAUDE_AGENT_SDK_VERSION: '0.3.332' });
  });
});
