import { serviceContext } from '../../lib/state/service-context';
import type { AuthKeeper } from './auth-keeper';

export const [AuthContext, useAuth] = serviceContext<AuthKeeper>('the sign-in');
