import type { PresencePerson } from '@chirality/contracts';
import { PresenceBoard, type PresenceRow, type PresenceStore } from './presence-board';

/** Rows that two nodes share. */
function sharedRows() {
  const rows = new Map<string, PresenceRow & { typingUntil: Date | null }>();
  const store: PresenceStore = {
    put: async (row) => void rows.set(row.clientId, row),
    renew: async () => undefined,
    remove: async (ids) => ids.forEach((id) => rows.delete(id)),
    peopleOf: async (ids) =>
      new Map(
        ids.map((id): [string, PresencePerson[]] => [
          id,
          [...rows.values()]
            .filter(({ sessionId }) => sessionId === id)
            .map((row): PresencePerson => ({
              userId: row.userId,
              name: row.userName,
              typing: row.typingUntil !== null,
            })),
        ]),
      ),
  };
  return store;
}

const row = (person: string): PresenceRow => ({
  clientId: `client of ${person}`,
  sessionId: 's',
  userId: person,
  userName: person,
  human: true,
});

it('presence and typing reach people of another node without waiting for its next renewal', async () => {
  const store = sharedRows();
  const seen: string[] = [];
  const failures: unknown[] = [];
  const there: PresenceBoard = new PresenceBoard(
    store,
    (_session, people) => seen.push(people.map(({ name, typing }) => name + (typing ? ' types' : '')).join(', ')),
    (error) => failures.push(error),
  );
  const here = new PresenceBoard(
    store,
    () => undefined,
    (error) => failures.push(error),
    (session) => there.heard(session),
  );
  const idle = async () => {
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
  };
  there.arrive(row('Ada'));
  await idle();
  here.arrive(row('Bob'));
  await idle();
  here.type('client of Bob', true);
  await idle();
  here.leave('client of Bob');
  await idle();
  expect(seen).toEqual(['Ada', 'Ada, Bob', 'Ada, Bob types', 'Ada']);
  await Promise.all([here.close(), there.close()]);
  expect(failures).toEqual([]);
});
