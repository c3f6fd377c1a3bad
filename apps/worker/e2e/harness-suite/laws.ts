import type { UsageReport } from '@chirality/contracts';
import { MODEL_KEY, waitFor } from '@chirality/testing';
import type { Scenario } from './scenario';
import type { SeenTurn } from './seen-turn';

/** Warnings that say that something is not as it was asked for. */
const ALARMS = ['INIT_MISMATCH', 'MCP_SERVER_FAILED', 'COMPACTION_FAILED'];

/** What holds of every turn of every harness, whatever happened in it. */
export async function expectLawfulTurn(seen: SeenTurn, scenario: Scenario): Promise<void> {
  expectDeltasAreTheirBlock(seen);
  expectToolsEnd(seen);
  expectQuestionsEnd(seen);
  expectWordsForPeople(seen);
  expectOriginator(seen);
  const expected = scenario.notices ?? [];
  expect(
    seen
      .of('turn:notice')
      .map(({ code, text }) => ({ code, text }))
      .filter(({ code }) => ALARMS.includes(String(code)) && !expected.includes(String(code))),
  ).toEqual([]);
  expect(JSON.stringify(seen.watched.live)).not.toContain(MODEL_KEY);
  await expectCostIsTheGateways(seen, scenario);
}

/** What was streamed of a block and not taken back is the block, character for character. */
function expectDeltasAreTheirBlock(seen: SeenTurn): void {
  for (const kind of ['chat', 'thinking'] as const) {
    const joined = new Map<string, string>();
    const whole = new Map<string, string>();
    for (const event of seen.watched.of(seen.turn)) {
      const payload = event.payload as Record<string, unknown>;
      const key = `${String(payload['messageId'])} ${String(payload['block'])}`;
      if (event.kind === `${kind}:delta`) joined.set(key, (joined.get(key) ?? '') + String(payload['text']));
      if (event.kind === `${kind}:complete`) whole.set(key, String(payload['text']));
      if (event.kind === 'chat:withdrawn')
        for (const map of [joined, whole]) for (const one of [...map.keys()]) if (isFrom(one, payload)) map.delete(one);
    }
    for (const [key, text] of whole) if (joined.has(key)) expect({ key, text: joined.get(key) }).toEqual({ key, text });
  }
}

/** Everything is said in the name of who began the turn, whatever harness runs it. */
function expectOriginator(seen: SeenTurn): void {
  const nameless = seen.watched.of(seen.turn).filter(({ originator }) => !('userId' in originator));
  expect(nameless.map(({ kind }) => kind)).toEqual([]);
}

function isFrom(key: string, { messageId, fromBlock }: Record<string, unknown>): boolean {
  const [id, block] = key.split(' ');
  return id === messageId && Number(block) >= Number(fromBlock);
}

/** A tool begins once and ends at most once; in a turn that was not stopped each one ended. */
function expectToolsEnd(seen: SeenTurn): void {
  const began = seen.of('tool:start').map(({ toolUseId }) => toolUseId);
  const ended = seen.of('tool:result').map(({ toolUseId }) => toolUseId);
  expect(new Set(began).size).toBe(began.length);
  expect(new Set(ended).size).toBe(ended.length);
  expect(ended.filter((id) => !began.includes(id))).toEqual([]);
  if (seen.turn.status === 'completed') expect(began.filter((id) => !ended.includes(id))).toEqual([]);
}

function expectQuestionsEnd(seen: SeenTurn): void {
  const asked = seen.of('permission:request').map(({ permissionId }) => permissionId);
  expect(
    seen
      .of('permission:resolve')
      .map(({ permissionId }) => permissionId)
      .sort(),
  ).toEqual(asked.sort());
}

/** An error has a code, and words of ours that say something to a person. */
function expectWordsForPeople(seen: SeenTurn): void {
  const { error, status } = seen.turn;
  expect(error === null).toBe(['completed', 'interrupted', 'cancelled'].includes(status));
  const last = seen.of('session:error').at(-1);
  if (error) {
    expect(error.detail).toMatch(/^[A-Z].{20,}[.!?]/);
    expect(last).toMatchObject({ code: error.code, detail: error.detail });
    expect(seen.of('turn:end')).toMatchObject([{ status, error }]);
  }
  expect(JSON.stringify(seen.watched.of(seen.turn))).not.toMatch(/ede_diagnostic|model\.gateway|sk-ant-/);
}

/** What the turn says that it cost is what the messages that passed the gateway cost, and what the program says. */
async function expectCostIsTheGateways(seen: SeenTurn, scenario: Scenario): Promise<void> {
  const { turn } = seen;
  const read = async () =>
    (await seen.watched.person.call<UsageReport>('GET', '/v1/usage?groupBy=turn')).body.data.find(
      ({ key }) => key === turn.id,
    );
  await waitFor(async () => ((await read())?.costUsd ?? '0') === turn.costUsd || Number(turn.costUsd) === 0, {
    what: `the report says of ${turn.id} what the turn says, ${turn.costUsd}`,
    timeoutMs: 5_000,
  });
  const row = await read();
  if (row) expect({ usage: row.usage }).toEqual({ usage: turn.usage });
  expect(seen.of('turn:end')).toMatchObject([{ costUsd: turn.costUsd, usage: turn.usage }]);
  if (
    turn.status === 'completed' &&
    turn.attempt === 1 &&
    seen.of('turn:retry').length === 0 &&
    !scenario.retriesUnseen
  )
    expect(turn.reportedCostUsd).toBe(turn.costUsd);
}
