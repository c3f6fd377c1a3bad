import { Inject, Injectable } from '@nestjs/common';
import type { PresencePerson } from '@chirality/contracts';
import { PresenceRepository } from '@chirality/database';
import { newId } from '@chirality/domain';
import { PresenceChannel } from '@chirality/messaging';
import { LOG, type Logger } from '@chirality/platform';
import { OpenStreams } from '../event/open-streams';
import { PresenceBoard, type PresenceRow } from './presence-board';

type PresenceListener = (sessionId: string, people: PresencePerson[]) => void;

/** Who watches what over any connection of this process. */
@Injectable()
export class LivePresence {
  private readonly listeners: PresenceListener[] = [];
  private readonly board: PresenceBoard;

  constructor(rows: PresenceRepository, hints: PresenceChannel, streams: OpenStreams, @Inject(LOG) log: Logger) {
    this.board = new PresenceBoard(
      rows,
      (sessionId, people) => this.listeners.forEach((listener) => listener(sessionId, people)),
      (error) => log.warn({ err: error }, 'live.presence_not_written'),
      (sessionId) => hints.publish(sessionId),
    );
    streams.onPresent((who, sessionId) => {
      const clientId = newId('client');
      const { user, identityClass } = who;
      this.arrive({ clientId, sessionId, userId: user.id, userName: user.name, human: identityClass === 'human' });
      return () => this.leave(clientId);
    });
    hints.subscribe((sessionId) => this.board.heard(sessionId));
  }

  /** Is called with the people of a session when they have changed, or someone has come. */
  onChange(listener: PresenceListener): void {
    this.listeners.push(listener);
  }

  arrive(row: PresenceRow): void {
    this.board.arrive(row);
  }

  type(clientId: string, typing: boolean): void {
    this.board.type(clientId, typing);
  }

  leave(clientId: string): void {
    this.board.leave(clientId);
  }

  /** Removes all presence of this process. */
  close(): Promise<void> {
    return this.board.close();
  }
}
