import type { Session, SessionsMessage, Visibility } from '@chirality/contracts';
import type { Principal } from '../access/principal';
import { SessionChanges } from './session-changes';

const session = (id: string, visibility: Visibility, ownerId = 'owner', teamId = 'team') =>
  ({ id, teamId, projectId: 'proj', projectVisibility: 'team', ownerId, visibility }) as Session;
const person = (id: string, teamId: string) =>
  ({
    user: { id },
    roles: new Map([[teamId, 'member']]),
    projectRoles: new Map(),
    identityClass: 'human',
  }) as unknown as Principal;

describe('changes of sessions in lists', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  async function told(
    sessions: Session[],
    changes: { sessionId: string; mayBeHidden: boolean; lostTo?: string }[],
    deleted: Session[] = [],
  ) {
    const heard: Record<string, SessionsMessage[]> = { owner: [], colleague: [], stranger: [] };
    const readers = Object.entries({ owner: 'team', colleague: 'team', stranger: 'elsewhere' }).map(([id, team]) => ({
      who: person(id, team),
      send: (message: SessionsMessage) => heard[id]?.push(message),
    }));
    const asked: string[][] = [];
    const failures: unknown[] = [];
    const bus = new SessionChanges(
      async (ids) => {
        asked.push(ids);
        return { sessions: sessions.filter(({ id }) => ids.includes(id)), deleted };
      },
      () => readers,
      (error) => failures.push(error),
    );
    for (const change of changes) bus.note(change);
    await jest.runAllTimersAsync();
    expect(failures).toEqual([]);
    return {
      asked,
      heard: Object.fromEntries(
        Object.entries(heard).map(([id, messages]) => [
          id,
          messages.map((message) => ({ sessions: message.sessions.map((one) => one.id), hidden: message.hidden })),
        ]),
      ),
    };
  }

  it('are read once for all and sent to those who may see the session', async () => {
    const { asked, heard } = await told(
      [session('shared', 'project'), session('own', 'private')],
      [
        { sessionId: 'shared', mayBeHidden: false },
        { sessionId: 'own', mayBeHidden: false },
        { sessionId: 'shared', mayBeHidden: false },
      ],
    );
    expect(asked).toEqual([['shared', 'own']]);
    expect(heard).toEqual({
      owner: [{ sessions: ['shared', 'own'], hidden: [] }],
      colleague: [{ sessions: ['shared'], hidden: [] }],
      stranger: [],
    });
  });

  it('take a deleted session from the lists of those who saw it', async () => {
    const { heard } = await told(
      [],
      [
        { sessionId: 'shared', mayBeHidden: true },
        { sessionId: 'own', mayBeHidden: true },
      ],
      [session('shared', 'project'), session('own', 'private')],
    );
    expect(heard).toEqual({
      owner: [{ sessions: [], hidden: ['shared', 'own'] }],
      colleague: [{ sessions: [], hidden: ['shared'] }],
      stranger: [],
    });
  });

  it('take a session that became private from those who saw it, and tell no one of one that was private', async () => {
    const { heard } = await told(
      [session('closed', 'private'), session('own', 'private')],
      [
        { sessionId: 'closed', mayBeHidden: true },
        { sessionId: 'own', mayBeHidden: false },
      ],
    );
    expect(heard).toEqual({
      owner: [{ sessions: ['closed', 'own'], hidden: [] }],
      colleague: [{ sessions: [], hidden: ['closed'] }],
      stranger: [],
    });
  });

  it('take a session of a project that became its members’ from those who lost it, and hint at it no more', async () => {
    const closed = { ...session('shared', 'project'), projectVisibility: 'members' as const };
    const hidden = async (lostTo?: string) => {
      const { heard } = await told([closed], [{ sessionId: 'shared', mayBeHidden: true, ...(lostTo && { lostTo }) }]);
      return Object.entries(heard).flatMap(([id, messages]) => (messages[0]?.hidden.includes('shared') ? [id] : []));
    };
    expect(await hidden('team')).toEqual(['owner', 'colleague']);
    expect(await hidden('colleague')).toEqual(['colleague']);
    expect(await hidden('colleague owner')).toEqual(['owner', 'colleague']);
    expect(await hidden()).toEqual([]);
  });

  it('that could not be read are sent once they can be', async () => {
    const heard: SessionsMessage[] = [];
    const failures: unknown[] = [];
    let isAway = true;
    const bus = new SessionChanges(
      async (ids) => {
        if (isAway) throw new Error('no database');
        return { sessions: ids.map((id) => session(id, 'project')), deleted: [] };
      },
      () => [{ who: person('colleague', 'team'), send: (message) => heard.push(message) }],
      (error) => {
        failures.push(error);
        isAway = failures.length < 2;
      },
    );
    bus.note({ sessionId: 'one', mayBeHidden: false });
    await jest.runAllTimersAsync();
    expect(failures).toHaveLength(2);
    expect(heard.map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([['one']]);
  });
});
