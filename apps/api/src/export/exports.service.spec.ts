import type { Session } from '@chirality/contracts';
import type { EventRepository, ProjectRepository } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../access/principal';
import type { SessionAccess } from '../access/session-access';
import type { TranscriptService } from '../event/transcript.service';
import { ExportsService } from './exports.service';

const personOf = (id: string) => ({ user: { id } }) as Principal;

describe('exports that run at once', () => {
  const waiting: ((error: Error) => void)[] = [];
  const sessions = { forReading: (_: Principal, id: string) => Promise.resolve({ id } as Session) };
  const events = { lastEventId: () => new Promise<number>((_, reject) => waiting.push(reject)) };
  const exports = new ExportsService(
    sessions as unknown as SessionAccess,
    events as unknown as EventRepository,
    {} as ProjectRepository,
    {} as TranscriptService,
    {} as Logger,
  );
  const send = (who: Principal) => exports.send(who, 'sess_1', 'jsonl', {} as Response);

  it('are four for a person, and one that ends, even by a failure, makes room', async () => {
    const ada = personOf('usr_ada');
    const running = Array.from({ length: 4 }, () => send(ada));
    const ends = Promise.allSettled(running);
    await expect(send(ada)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const other = send(personOf('usr_other'));
    await Promise.resolve();
    expect(waiting).toHaveLength(5);

    waiting[0]!(new Error('the database is away'));
    await expect(running[0]).rejects.toThrow('the database is away');
    const next = send(ada);
    await expect(send(ada)).rejects.toMatchObject({ code: 'RATE_LIMITED' });

    const rest = Promise.allSettled([other, next]);
    await Promise.resolve();
    for (const reject of waiting.slice(1)) reject(new Error('ends'));
    await Promise.all([ends, rest]);
    expect(waiting).toHaveLength(6);
  });
});
