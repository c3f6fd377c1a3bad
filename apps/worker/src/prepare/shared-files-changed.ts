/**
 * Other sessions, or people in them, worked in the shared files since this conversation last saw them: what people
 * and the model read.
 */
export const SHARED_FILES_CHANGED = {
  code: 'WORKSPACE_CHANGED',
  level: 'info',
  text: 'Files in the shared workspace were changed in other sessions since the last turn here. Claude is asked to read files again.',
  messageNote:
    'Note from the service: this workspace is shared with other sessions, and files were changed there since your last turn. Read files again, and look at the branch, before you rely on what you remember of them.',
} as const;
