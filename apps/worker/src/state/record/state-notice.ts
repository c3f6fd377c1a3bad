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
export const SALVAGED: StateNotice = {
  code: 'WORKSPACE_SALVAGED',
  level: 'warning',
  text: 'The previous turn was interrupted because its worker stopped. Its files and its part of the conversation are kept as it left them; look at the diff before you continue.',
  messageNote:
    'Note from the service: the previous turn was cut off before it ended. Files are as it left them, possibly half changed. Check them before you rely on them.',
};

/** The worker that had newer state is gone. */
export function lostNotice(version: number): StateNotice {
  const since = version === 0 ? 'the beginning of the session' : `its last stored state (number ${version})`;
  return {
    code: 'WORKSPACE_RESTORED',
    level: 'warning',
    text: `The worker that held this session is gone before it stored its last work. Files and conversation are back at ${since}; what came after is lost.`,
    messageNote: `Note from the service: the machine that worked on this session was lost. Files and conversation were set back to ${since}. What was done after that, even if people mention it, is not there.`,
  };
}

/** The workspace was too large to be stored, so that an older one was restored beside the newest conversation. */
export const INCOMPLETE: StateNotice = {
  code: 'WORKSPACE_INCOMPLETE',
  level: 'warning',
  text: 'The conversation was restored, but the newest files were too large to be stored (over 256 MB that are not ignored). The files are older than the conversation.',
  messageNote:
    'Note from the service: the files were set back to an older state than the conversation, because they were too large to be stored. Check files before you rely on them.',
};
