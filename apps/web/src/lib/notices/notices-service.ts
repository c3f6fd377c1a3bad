import { serviceContext } from '../state/service-context';
import type { SessionNotices } from './session-notices';

export const [NoticesContext, useNotices] = serviceContext<SessionNotices>('notices');
