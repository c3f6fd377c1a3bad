import { serviceContext } from '../service-context';
import type { LiveConnection } from './live-connection';

export const [LiveContext, useLive] = serviceContext<LiveConnection>('the live connection');
