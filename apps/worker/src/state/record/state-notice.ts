import { isId } from '@chirality/contracts';
import type { SessionMeta } from './session-meta';
import type { StateDecision } from './state-decision';

interface Opened {
  decision: StateDecision;
  copy: { meta: Pick<SessionMeta, 'sessionId' | 'stateVersion'> };
  workspaceIsOlder: boolean;
}

/** What people and the model read when a session does not simply continue. */
export interface StateNotice {
  code: 'WORKSPACE_SALVAGED' | 'WORKSPACE_RESTORED' | 'WORKSPACE_INCOMPLETE';
  level: 'info' | 'warning';
  /** For the people who watch the session. */
  text: string;
  /** To be put in front of the next message, for the model. */
  messageNote: string;
}

/** An attempt died on this disk; its files and conversation are as it left them. */
const SALVAGED: StateNotice = {
  code: 'WORKSPACE_SALVAGED',
  level: 'warning',
  text: 'The previous turn was interrupted because its worker stopped. Its files and its part of the conversation are kept as it left them; look at the diff before you continue.',
  messageNote:
    'Note from the service: the previous turn was cut off before it ended. Files are as it left them, possibly half changed. Check them before you rely on them.',
};

/** The worker that had newer state is gone. */
function lostNotice(version: number): StateNotice {
  const since = version === 0 ? 'the beginning of the session' : `its last stored state (number ${version})`;
  return {
    code: 'WORKSPACE_RESTORED',
    level: 'warning',
    text: `The worker that held this session is gone before it stored its last work. Files and conversation are back at ${since}; what came after is lost.`,
    messageNote: `Note from the service: the machine that worked on this session was lost. Files and conversation were set back to ${since}. What was done after that, even if people mention it, is not there.`,
  };
}

/** The workspace was too large to be stored, so that an older one was restored beside the newest conversation. */
const INCOMPLETE: StateNotice = {
  code: 'WORKSPACE_INCOMPLETE',
  level: 'warning',
  text: 'The conversation was restored, but the newest files were too large to be stored (over 256 MB that are not ignored). The files are older than the conversation.',
  messageNote:
    'Note from the service: the files were set back to an older state than the conversation, because they were too large to be stored. Check files before you rely on them.',
};

/** The same of a workspace that several sessions share. */
const SHARED_SALVAGED: StateNotice = {
  code: 'WORKSPACE_SALVAGED',
  level: 'warning',
  text: 'The previous turn in the shared workspace was interrupted because its worker stopped. The files are as it left them; look at the changes before you continue.',
  messageNote:
    'Note from the service: the files are shared with other sessions, and the previous turn that worked in them was cut off before it ended. They are as it left them, possibly half changed. Check them before you rely on them.',
};

function sharedLostNotice(version: number): StateNotice {
  const since = version === 0 ? 'the project’s files' : `their last stored state (number ${version})`;
  return {
    code: 'WORKSPACE_RESTORED',
    level: 'warning',
    text: `The worker that held the shared workspace is gone before it stored the last work in it. The files are back at ${since}; what came after is lost, for every session that shares them.`,
    messageNote: `Note from the service: the machine that worked on the shared files was lost. They were set back to ${since}. What was changed after that, even if people mention it, is not there.`,
  };
}

/**
 * What people and the model read of how a copy came to be; null where it simply continues. `continues`: the attempt
 * before this one is of this process and did not end by the end of a worker; its files are only not stored yet.
 */
export function noticeOf({ decision, copy, workspaceIsOlder }: Opened, continues: boolean): StateNotice | null {
  const { sessionId, stateVersion } = copy.meta;
  const isShared = isId('sharedWorkspace', sessionId);
  if (decision.act === 'salvage' && !continues) return isShared ? SHARED_SALVAGED : SALVAGED;
  if (decision.lost) return isShared ? sharedLostNotice(stateVersion) : lostNotice(stateVersion);
  return workspaceIsOlder ? INCOMPLETE : null;
}
