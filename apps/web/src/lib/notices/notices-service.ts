import { serviceContext } from '../service-context';
import type { SessionNotices } from './session-notices';

export const [NoticesContext, useNotices] = serviceContext<SessionNotices>('notices');
