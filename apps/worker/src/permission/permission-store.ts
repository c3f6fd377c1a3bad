import {
  closePermissions,
  insertPermission,
  moveDeadlines,
  type AnsweredPermission,
  type EventLogWriter,
  type NewPermission as PermissionRow,
  type PermissionEnd,
  type PermissionRepository,
  type PresenceRepository,
  type Tx,
} from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { AttemptRef } from '../record/turn-state';

export type NewPermission = Omit<PermissionRow, 'sessionId' | 'turnId' | 'expiresAt'>;

/** The rows of permission requests, and who is there to answer them. */
export class PermissionStore {
  constructor(
    private readonly permissions: Pick<PermissionRepository, 'readAnswers'>,
    private readonly presence: Pick<PresenceRepository, 'countAnswerers'>,
    private readonly eventLog: Pick<EventLogWriter, 'append'>,
    private readonly log: Logger,
  ) {}

  insert(tx: Tx, { sessionId, turnId }: AttemptRef, permission: NewPermission & { expiresAt: Date }): Promise<void> {
    return insertPermission(tx, { ...permission, sessionId, turnId });
  }

  readAnswers(permissionIds: string[]): Promise<AnsweredPermission[]> {
    return this.permissions.readAnswers(permissionIds);
  }

  /** How many people have the app open who may answer the session's questions. */
  countAnswerers(sessionId: string): Promise<number> {
    return this.presence.countAnswerers(sessionId);
  }

  /**
   * Closes requests that no person answered: the process is gone or withdrew them, a rule decides, or no one is
   * present. Never rejects.
   */
  async end({ sessionId, turnId, fence }: AttemptRef, permissionIds: string[], end: PermissionEnd): Promise<void> {
    const transition = (tx: Tx) => closePermissions(tx, turnId, end, permissionIds);
    await this.eventLog
      .append({ sessionId, fence, events: [], transition })
      .catch((error: Error) => this.log.warn({ err: error }, 'permission.not_closed'));
  }

  /** Gives requests that wait another deadline. Never rejects. */
  async moveDeadlines(
    { sessionId, turnId, fence }: AttemptRef,
    permissionIds: string[],
    expiresAt: Date,
  ): Promise<void> {
    const transition = (tx: Tx) => moveDeadlines(tx, turnId, permissionIds, expiresAt);
    await this.eventLog
      .append({ sessionId, fence, events: [], transition })
      .catch((error: Error) => this.log.warn({ err: error }, 'permission.deadline_not_moved'));
  }
}
