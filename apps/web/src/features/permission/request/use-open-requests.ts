import type { Permission } from '@chirality/contracts';
import { openPermissionsOf, type PermissionItem, type TranscriptState } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { useLive } from '../../../lib/live/live-service';
import { useObservable } from '../../../lib/state/use-observable';
import { pendingQuery } from './permission.api';

const NONE: Permission[] = [];

/** What waits for an answer, oldest first. While nothing comes live it is asked for, so a request is not missed. */
export function useOpenRequests(
  sessionId: string,
  state: TranscriptState,
): { open: PermissionItem[]; isLive: boolean } {
  const isLive = useObservable(useLive().status) !== 'reconnecting';
  const pending = useQuery(pendingQuery(sessionId, !isLive)).data ?? NONE;
  const known = openPermissionsOf(state);
  if (isLive) return { open: known, isLive };
  return { open: mergeRequests(known, pending), isLive };
}

/** Those of the conversation, and those that it does not have yet. */
export function mergeRequests(known: PermissionItem[], pending: readonly Permission[]): PermissionItem[] {
  const ids = new Set(known.map(({ permissionId }) => permissionId));
  const more = pending.filter(({ id }) => !ids.has(id)).map(itemOf);
  return [...known, ...more].sort((a, b) => a.at.localeCompare(b.at));
}

function itemOf({
  id,
  kind,
  toolUseId,
  tool,
  input,
  reason,
  pattern,
  patterns,
  agent,
  proposal,
  parentToolUseId,
  expiresAt,
  createdAt,
}: Permission): PermissionItem {
  return {
    type: 'permission',
    key: `permission:${id}`,
    at: createdAt,
    parent: parentToolUseId,
    permissionId: id,
    kind,
    toolUseId,
    tool,
    input,
    reason,
    pattern,
    patterns,
    agent,
    proposal,
    expiresAt,
    answer: null,
  };
}
