import { serviceContext } from '../state/service-context';
import type { LiveConnection } from './live-connection';

export const [LiveContext, useLive] = serviceContext<LiveConnection>('the live connection');
