import type { Envelope } from '@chirality/contracts';
import { expect, expectWhole, hasEnded, hasKind, isEnd, payloadOf, refusalOf, type Scenario } from './scenario';

const send: Scenario = {
  name: 'send',
  law: 'A message becomes one turn, whose events come whole, in order, and end with turn:end.',
  needs: ['follow'],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const following = await follow(human, session);
    const turn = await human.send(session, prompts.answer);
    await following.until('turn:end', hasEnded);
    await following.close();
    const { events } = following;
    expectWhole(events);
    const ofTurn = events.filter((event) => event.turn === turn);
    const kinds = ofTurn.map(({ kind }) => kind);
    expect(kinds[0] === 'turn:queued', `the turn begins with ${kinds[0]} instead of turn:queued`);
    expect(kinds.at(-1) === 'turn:end', `the turn ends with ${kinds.at(-1)} instead of turn:end`);
    expect(kinds.filter((kind) => kind === 'turn:end').length === 1, 'the turn has more than one turn:end');
    expectWholeBlocks(ofTurn);
    const outcome = await human.outcome(session, turn);
    const ended = ofTurn.find(isEnd);
    expect(outcome.status === 'completed', `the turn is ${outcome.status}`);
    expect(ended !== undefined && payloadOf(ended)['status'] === outcome.status, 'turn:end has another status');
    expect(outcome.text !== '', 'the turn has no text');
  },
};

/** What was streamed of a block is what the block is in the end. */
function expectWholeBlocks(events: readonly Envelope[]): void {
  const streamed = new Map<string, string>();
  for (const event of events) {
    const { messageId, block, text } = payloadOf(event);
    const key = `${String(messageId)} ${String(block)}`;
    if (event.kind === 'chat:delta') streamed.set(key, (streamed.get(key) ?? '') + String(text));
    if (event.kind === 'chat:complete' && streamed.has(key))
      expect(streamed.get(key) === text, 'the deltas of a block make another text than its chat:complete');
  }
}

const follow = (driver: Parameters<Scenario['run']>[0]['human'], session: string, after = 0) => {
  expect(driver.follow !== undefined, 'the transport follows no session');
  return driver.follow(session, after);
};

const outcome: Scenario = {
  name: 'outcome',
  law: 'Without following, a turn can be sent and its end waited for.',
  needs: [],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const seen = await human.outcome(session, await human.send(session, prompts.answer));
    expect(seen.status === 'completed' && seen.text !== '', `the turn is ${seen.status}, text: ${seen.text}`);
    const second = await human.outcome(session, await human.send(session, prompts.answer));
    expect(second.status === 'completed', `the second turn is ${second.status}`);
    await human.endSession(session);
  },
};

const busy: Scenario = {
  name: 'busy',
  law: 'While a turn runs, a second message is refused with TURN_IN_PROGRESS.',
  needs: [],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const turn = await human.send(session, prompts.long);
    const { code } = await refusalOf('a second message', human.send(session, prompts.answer));
    expect(code === 'TURN_IN_PROGRESS', `the code is ${code}`);
    await human.interrupt(session);
    await human.outcome(session, turn);
  },
};

const empty: Scenario = {
  name: 'empty-message',
  law: 'An empty message is refused with MESSAGE_EMPTY and leaves no turn.',
  needs: [],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const { code } = await refusalOf('an empty message', human.send(session, '  '));
    expect(code === 'MESSAGE_EMPTY', `the code is ${code}`);
    const { status } = await human.outcome(session, await human.send(session, prompts.answer));
    expect(status === 'completed', `the next turn is ${status}`);
  },
};

const interrupt: Scenario = {
  name: 'interrupt',
  law: 'An interrupted turn ends as interrupted, and the next one works.',
  needs: [],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const following = await human.follow?.(session, 0);
    const turn = await human.send(session, prompts.long);
    await following?.until('the first words', hasKind('chat:delta'));
    await human.interrupt(session);
    const { status } = await human.outcome(session, turn);
    expect(['interrupted', 'cancelled'].includes(status), `the turn is ${status}`);
    await following?.until('turn:end', hasEnded);
    await following?.close();
    const next = await human.outcome(session, await human.send(session, prompts.answer));
    expect(next.status === 'completed', `the next turn is ${next.status}`);
  },
};

const uiEvents: Scenario = {
  name: 'ui-events',
  law: 'A turn of the earlier harness begins with session:init, has its text once whole, and ends with process:exit.',
  needs: ['uiTurn'],
  async run({ human, prompts }) {
    const session = await human.createSession();
    const events = (await human.uiTurn?.(session, prompts.answer)) ?? [];
    const types = events.map(({ type }) => type);
    expect(types[0] === 'session:init', `the first is ${types[0]}`);
    expect(types.at(-1) === 'process:exit', `the last is ${types.at(-1)}`);
    expect(types.filter((type) => type === 'session:complete').length === 1, 'not exactly one session:complete');
    expect(
      events.every(({ sessionId }) => sessionId === session),
      'an object names another session',
    );
    const text = (type: string) =>
      events
        .filter((event) => event.type === type)
        .map((event) => String(event['text']))
        .join('');
    expect(text('chat:complete') !== '', 'no chat:complete');
    expect(text('chat:delta') === text('chat:complete'), 'the deltas make another text than chat:complete');
  },
};

/** Sending, waiting, stopping. */
export const TURN_SCENARIOS: readonly Scenario[] = [send, outcome, busy, empty, interrupt, uiEvents];
