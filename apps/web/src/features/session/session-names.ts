import type { HarnessName, Session, SessionMode, Visibility } from '@chirality/contracts';

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

export const WORKSPACE_NAMES: Record<Session['workspace'], string> = {
  own: 'A copy for this session',
  shared: 'Shared with other sessions',
};

export const WORKSPACE_HINTS: Record<Session['workspace'], string> = {
  own: 'A separate copy of the files on a separate branch. Nothing that other sessions do is in it.',
  shared:
    'The files that all shared sessions on this project and branch work in, private sessions included. One works at a time.',
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
