import { serviceContext } from '../state/service-context';
import type { AttachedFiles } from './attached-files';
import type { HeldFiles } from './held-files';

/** The files of a person's message in a session. */
export const [AttachedFilesContext, useAttachedFilesOf] =
  serviceContext<(userId: string, sessionId: string) => AttachedFiles>('attached files');

/** The files of a person's message that starts a session, by its field. */
export const [HeldFilesContext, useHeldFilesOf] =
  serviceContext<(userId: string, place: string) => HeldFiles>('held files');
