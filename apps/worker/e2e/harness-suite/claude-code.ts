import type { TestedHarness } from './scenario';

export const claudeCode: TestedHarness = {
  name: 'claude-code',
  cannotShow: {
    'a conversation that continues under another name is a fork, which is said': 'docs/claude-code.md, C2',
    'a command that runs for seconds says that it still runs': 'docs/claude-code.md, T3',
    'an end without a result keeps what was said, and is an error': 'docs/claude-code.md, R4',
  },
};
