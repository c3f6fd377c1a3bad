import type { Driver, Following } from '../driver/driver';
import { expect, expectWhole, hasEnded, hasKind, refusalOf, type Scenario } from './scenario';

async function followed(driver: Driver, session: string, after = 0): Promise<Following> {
  const following = await driver.follow?.(session, after);
  expect(following !== undefined, 'the transport follows no session');
  return following;
}

const hello: Scenario = {
  name: 'hello',
  law: 'The server says which version of the protocol it speaks, and it is 1.',
  needs: ['hello'],
  async run({ human }) {
    const version = (await human.hello?.()) ?? '';
    expect(/^1(\.\d+)*$/.test(version), `the version is ${version}`);
  },
};

const disconnect: Scenario = {
  name: 'disconnect',
  law: 'A turn runs to its end when the one who follows goes away, and its log is whole afterwards.',
  needs: ['follow'],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const first = await followed(human, session);
    const turn = await human.send(session, prompts.long);
    await first.until('the first words', hasKind('chat:delta'));
    await first.close();
    const { status } = await human.outcome(session, turn);
    expect(status === 'completed', `the turn is ${status}`);
    const second = await followed(human, session);
    await second.until('turn:end', hasEnded);
    await second.close();
    expectWhole(second.events);
  },
};

const reconnect: Scenario = {
  name: 'reconnect',
  law: 'Following again from the last id seen brings what is missing: no gap, nothing twice.',
  needs: ['follow'],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const first = await followed(human, session);
    await human.send(session, prompts.long);
    await first.until('the first words', hasKind('chat:delta'));
    await first.close();
    const before = [...first.events];
    const last = before.at(-1)?.id ?? 0;
    const second = await followed(human, session, last);
    await second.until('turn:end', hasEnded);
    await second.close();
    expectWhole([...before, ...second.events]);
  },
};

const severalClients: Scenario = {
  name: 'several-clients',
  law: 'All who follow a session see the same events in the same order.',
  needs: ['follow'],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const all = await Promise.all([followed(human, session), followed(human, session), followed(human, session)]);
    await human.send(session, prompts.answer);
    for (const following of all) await following.until('turn:end', hasEnded);
    for (const following of all) await following.close();
    const [first = [], ...others] = all.map(({ events }) => events.map(({ id, kind }) => `${id} ${kind}`));
    for (const other of others)
      expect(other.join() === first.join(), `one saw ${other.length} events, another ${first.length}, or others`);
  },
};

const cursorAhead: Scenario = {
  name: 'cursor-ahead',
  law: 'Following from an id that the session has not reached is refused with CURSOR_AHEAD.',
  needs: ['follow'],
  async run({ human, prompts }) {
    const session = await human.createSession();
    await human.outcome(session, await human.send(session, prompts.answer));
    const { code } = await refusalOf('a cursor ahead of the log', followed(human, session, 1_000_000));
    expect(code === 'CURSOR_AHEAD', `the code is ${code}`);
  },
};

const UNKNOWN = 'sess_01ARZ3NDEKTSV4RRFFQ69G5FAV';

const foreignIds: Scenario = {
  name: 'foreign-ids',
  law: 'An unknown session and one of another team are the same SESSION_NOT_FOUND, for every act.',
  needs: [],
  async run({ human, foreignSession, prompts }) {
    const acts: [string, (id: string) => Promise<unknown>][] = [
      ['sending', (id) => human.send(id, prompts.answer)],
      ['interrupting', (id) => human.interrupt(id)],
      ['ending', (id) => human.endSession(id)],
    ];
    if (human.follow) acts.push(['following', (id) => followed(human, id)]);
    for (const [what, act] of acts) {
      const unknown = await refusalOf(what, act(UNKNOWN));
      expect(unknown.code === 'SESSION_NOT_FOUND', `${what} an unknown session answers ${unknown.code}`);
      if (foreignSession === null) continue;
      const foreign = await refusalOf(what, act(foreignSession));
      expect(
        comparable(foreign.problem, foreignSession) === comparable(unknown.problem, UNKNOWN),
        `${what} another team’s session answers something else than an unknown one: ${foreign.message}`,
      );
    }
  },
};

/** A problem without what differs from request to request. */
const comparable = ({ requestId: _, ...problem }: Readonly<Record<string, unknown>>, id: string) =>
  JSON.stringify(problem).replaceAll(id, '');

/** Greeting, following, and what does not exist. */
export const CONNECTION_SCENARIOS: readonly Scenario[] = [
  hello,
  disconnect,
  reconnect,
  severalClients,
  cursorAhead,
  foreignIds,
];
