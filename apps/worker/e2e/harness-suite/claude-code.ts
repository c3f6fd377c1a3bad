import type { Harness } from './scenario';

export const claudeCode: Harness = {
  name: 'claude-code',
  cannotShow: {
    'a conversation that goes on under another name is a fork, which is said': 'docs/claude-code.md, conversations: it forks only when told to',
  },
};
