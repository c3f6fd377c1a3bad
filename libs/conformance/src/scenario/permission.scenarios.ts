import type { Driver, Following } from '../driver/driver';
import { expect, hasEnded, hasKind, payloadOf, refusalOf, type Prompts, type Scenario } from './scenario';

type Asked = { session: string; turn: string; permissionId: string; following: Following };

/** A session of `driver`, in which a turn waits for an answer; `viewer` follows it. */
async function ask(driver: Driver, prompts: Prompts, viewer = driver): Promise<Asked> {
  const session = await driver.createSession();
  const following = await viewer.follow?.(session, 0);
  expect(following !== undefined, 'the transport follows no session');
  const turn = await driver.send(session, prompts.permission);
  await following.until('permission:request', hasKind('permission:request'));
  const request = following.events.find(({ kind }) => kind === 'permission:request');
  const permissionId = String(request && payloadOf(request)['permissionId']);
  return { session, turn, permissionId, following };
}

function resolutionOf({ following }: Asked): unknown {
  const resolved = following.events.find(({ kind }) => kind === 'permission:resolve');
  return resolved && payloadOf(resolved)['outcome'];
}

const allowed: Scenario = {
  name: 'permission-allowed',
  law: 'An allowed tool runs, and a second answer is refused with PERMISSION_RESOLVED.',
  needs: ['follow', 'answer', 'answersAsPerson'],
  async run({ human, prompts }) {
    const asked = await ask(human, prompts);
    await human.answer?.(asked.session, asked.permissionId, 'allow_once');
    await asked.following.until('turn:end', hasEnded);
    expect(resolutionOf(asked) === 'allowed', `the outcome is ${String(resolutionOf(asked))}`);
    const result = asked.following.events.find(({ kind }) => kind === 'tool:result');
    expect(result !== undefined && payloadOf(result)['isError'] === false, 'the allowed tool did not run');
    const again = human.answer?.(asked.session, asked.permissionId, 'deny') ?? Promise.resolve();
    const { code } = await refusalOf('a second answer', again);
    expect(code === 'PERMISSION_RESOLVED', `the code is ${code}`);
    await asked.following.close();
  },
};

const denied: Scenario = {
  name: 'permission-denied',
  law: 'A denied tool does not run, and the turn continues to its end.',
  needs: ['follow', 'answer', 'answersAsPerson'],
  async run({ human, prompts }) {
    const asked = await ask(human, prompts);
    await human.answer?.(asked.session, asked.permissionId, 'deny');
    await asked.following.until('turn:end', hasEnded);
    expect(resolutionOf(asked) === 'denied', `the outcome is ${String(resolutionOf(asked))}`);
    const result = asked.following.events.find(({ kind }) => kind === 'tool:result');
    expect(result === undefined || payloadOf(result)['isError'] === true, 'the denied tool has a result');
    const { status } = await human.outcome(asked.session, asked.turn);
    expect(status === 'completed', `the turn is ${status}`);
    await asked.following.close();
  },
};

const agent: Scenario = {
  name: 'agent-may-not-approve',
  law: 'An agent’s answer is refused with AGENT_MAY_NOT_APPROVE, and the request stays open for a person.',
  needs: ['follow', 'answer'],
  async run({ human, person, withToken, prompts }) {
    const { driver } = await withToken({ identityClass: 'agent' });
    const asked = await ask(driver, prompts, human);
    const attempt = driver.answer?.(asked.session, asked.permissionId, 'allow_once') ?? Promise.resolve();
    const { code } = await refusalOf('an agent’s answer', attempt);
    expect(code === 'AGENT_MAY_NOT_APPROVE', `the code is ${code}`);
    expect(resolutionOf(asked) === undefined, 'the request was resolved by an agent');
    await person.answer(asked.session, asked.permissionId, 'deny');
    await asked.following.until('turn:end', hasEnded);
    await asked.following.close();
  },
};

/** Asking people, and who counts as one. */
export const PERMISSION_SCENARIOS: readonly Scenario[] = [allowed, denied, agent];
