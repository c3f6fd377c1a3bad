/** Other sessions worked in the shared files since this conversation last saw them: what people and the model read. */
export const SHARED_FILES_CHANGED = {
  code: 'WORKSPACE_CHANGED',
  level: 'info',
  text: 'Other sessions changed files in the shared workspace since the last turn here. Claude is asked to read files again.',
  messageNote:
    'Note from the service: this workspace is shared with other sessions, and they changed files since your last turn. Read files again, and look at the branch, before you rely on what you remember of them.',
} as const;
