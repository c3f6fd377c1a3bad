import { Injectable } from '@nestjs/common';
import { CLOSE_CODES, type ClientFrame } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { refusalOfDepth, SMALL_BODY_BYTES } from '../core/http/body.middleware';
import { problemOf } from '../core/problem/problem-of';
import { MessageLimit } from '../live/message-limit';
import { headOfFrame } from './frame-head';
import { readFrame } from './read-frame';
import { PRESSURE_LIMIT_BYTES } from './websocket-attachment';
import type { WebsocketConnection } from './websocket-connection';

/** What every frame passes before anything is made of it: waiting answers, the rate, and its size. */
@Injectable()
export class FrameIntake {
  constructor(private readonly messages: MessageLimit) {}

  /** The frame, or null where it was refused, or its connection ended. Never rejects. */
  async read(connection: WebsocketConnection, data: Buffer, isBinary: boolean): Promise<ClientFrame | null> {
    if (connection.phase === 'closed' || !this.hasRoom(connection)) return null;
    try {
      await this.messages.take(connection.id);
    } catch (error) {
      connection.tooFast(problemOf(error).problem, isBinary ? undefined : headOfFrame(data).id);
      return null;
    }
    connection.withinRate();
    try {
      if (data.byteLength > SMALL_BODY_BYTES) refuseTooLarge(data, isBinary);
      const frame = readFrame(data, isBinary);
      const tooDeep = refusalOfDepth(frame);
      if (tooDeep) throw tooDeep;
      return frame;
    } catch (error) {
      const { problem } = problemOf(error);
      connection.fault(problem, problem.code === 'MESSAGE_TOO_LARGE' ? headOfFrame(data).id : undefined);
      return null;
    }
  }

  /** Ends a connection that asks and does not read what it is answered. */
  hasRoom(connection: WebsocketConnection, limitBytes = PRESSURE_LIMIT_BYTES): boolean {
    if (connection.waitingBytes <= limitBytes) return true;
    connection.close(CLOSE_CODES.tooSlow, 'read what was sent first');
    return false;
  }
}

/** A message alone may be long. What the head says is looked at again once the frame is parsed. */
function refuseTooLarge(data: Buffer, isBinary: boolean): void {
  if (isBinary) return;
  const { frame, command } = headOfFrame(data);
  if (frame === 'command' && command === 'turn:send') return;
  throw frameTooLarge(frame === 'command' && command !== undefined ? command.slice(0, 60) : 'frame of this kind');
}

export function frameTooLarge(what: string): ProblemError {
  return new ProblemError('MESSAGE_TOO_LARGE', `A ${what} may have at most ${SMALL_BODY_BYTES / 1024} KiB.`);
}
