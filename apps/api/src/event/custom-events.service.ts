import { Injectable } from '@nestjs/common';
import { CUSTOM_DATA_LIMIT_BYTES, type CustomEvent, type Envelope } from '@chirality/contracts';
import { CustomEventRepository } from '@chirality/database';
import { maskJson } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { originatorOf, type Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { problems } from '../core/problem/problems';

/** What programs tell each other through a session: in its log, in order, and read by no part of the product. */
@Injectable()
export class CustomEventsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly events: CustomEventRepository,
  ) {}

  /** Appends it for a user who may write in the session. */
  async append(who: Principal, sessionId: string, { namespace, name, data = null }: CustomEvent): Promise<Envelope> {
    const session = await this.sessions.forWriting(who, sessionId);
    if (Buffer.byteLength(JSON.stringify(data)) > CUSTOM_DATA_LIMIT_BYTES)
      throw new ProblemError(
        'MESSAGE_TOO_LARGE',
        `The data of an event may have at most ${CUSTOM_DATA_LIMIT_BYTES / 1024} KiB of JSON. Put more into a file of the session.`,
      );
    const payload = { namespace, name, data: maskJson(data) };
    const appended = await this.events.append(session.id, payload, originatorOf(who));
    if (!appended) throw problems.sessionNotFound();
    return appended;
  }
}
