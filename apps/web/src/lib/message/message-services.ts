import { serviceContext } from '../state/service-context';
import type { LiveDrafts } from './live-drafts';
import type { Outbox } from './outbox';

export const [DraftsContext, useLiveDrafts] = serviceContext<LiveDrafts>('drafts');

/** The outbox of a person. */
export const [OutboxesContext, useOutboxes] = serviceContext<(userId: string) => Outbox>('outboxes');
