import type { HarnessName, SessionMode, Visibility } from '@chirality/contracts';

export const MODE_NAMES: Record<SessionMode, string> = {
  workbench: 'Workbench',
  pipeline: 'Pipeline',
  direct: 'Direct',
};

export const MODE_HINTS: Record<SessionMode, string> = {
  workbench: 'Asks before it runs commands. For working together.',
  pipeline: 'Never asks: anything that would need an answer is denied. For unattended work.',
  direct: 'Claude without a persona’s instructions.',
};

export const VISIBILITY_NAMES: Record<Visibility, string> = {
  private: 'Only me',
  project: 'Everyone in the project (can write)',
  project_read: 'Everyone in the project (read only)',
};

/** Admins change it for sessions of others: what is private is its owner's alone, and not theirs. */
export function visibilityName(visibility: Visibility, isOwn: boolean): string {
  return visibility === 'private' && !isOwn ? 'Only its owner (not you)' : VISIBILITY_NAMES[visibility];
}

export const HARNESS_NAMES: Record<HarnessName, string> = {
  'claude-code': 'Claude Code',
  'agent-sdk': 'Claude Agent SDK',
};
