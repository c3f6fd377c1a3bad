import { serviceContext } from '../state/service-context';
import type { AttachedFiles } from './attached-files';

/** The files of a person's message in a session. */
export const [AttachedFilesContext, useAttachedFilesOf] =
  serviceContext<(userId: string, sessionId: string) => AttachedFiles>('attached files');
