// Runs alone: it measures how soon a program that is gone is noticed.
import { chmodSync, renameSync } from 'node:fs';
import { fakeClaude, waitFor } from '@chirality/testing';
import { expectContinues, FakeClaudeStack, says, took } from './support/fake-claude-stack';
import { marked } from './support/process-scan';

jest.setTimeout(120_000);

describe('a claude between turns', () => {
  let claude: FakeClaudeStack;
  beforeAll(async () => (claude = await FakeClaudeStack.start()));
  afterAll(() => claude?.stop());

  it('that goes away while the worker runs: turns fail with a reason, are then refused, and work again when it is back', async () => {
    const watched = await claude.open();
    // The api may believe for a moment longer that turns can run: one that it then takes must not hold the session
    // looked at.
    const probing = await claude.open();
    const sandbox = async () =>
      (await claude.product.person.call<{ data: { sandbox: string }[] }>('GET', '/v1/workers')).body.data[0]?.sandbox;
    renameSync(claude.product.fakePath, `${claude.product.fakePath}.away`);
    const turn = await watched.run(says('never').toMessage());
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'SANDBOX_UNAVAILABLE' } });
    expect(took(turn)).toBeLessThan(5_000);
    await waitFor(async () => (await sandbox()) === 'unavailable', {
      what: 'the worker says that it cannot',
      timeoutMs: 20_000,
      everyMs: 50,
    });
    await waitFor(
      async () =>
        (await claude.product.person.call('POST', `/v1/sessions/${probing.id}/turns`, { message: 'x' })).status === 503,
      { what: 'turns are refused', timeoutMs: 2_000, everyMs: 600 },
    );
    renameSync(`${claude.product.fakePath}.away`, claude.product.fakePath);
    await waitFor(async () => (await sandbox()) === 'bubblewrap', {
      what: 'the worker is fit again',
      timeoutMs: 30_000,
      everyMs: 100,
    });
    await expectContinues(watched);
  });

  it('that waits for the next turn and no longer reacts is replaced by another', async () => {
    await claude.product.replaceWorker({ CHIRALITY_PARKED_MS: '60000' });
    const watched = await claude.open();
    await watched.run(
      says('Parked now.')
        .step({ do: 'trap', signals: ['SIGINT', 'SIGTERM'] }, { do: 'busy', ms: 120_000 })
        .toMessage(),
    );
    const turn = await watched.run(says('From another one.').toMessage());
    expect(turn).toMatchObject({ status: 'completed', text: 'From another one.', attempt: 1 });
    expect(watched.payloads(turn, 'turn:start').map(({ process: origin }) => origin)).toEqual(['parked', 'cold']);
    await expectContinues(watched);
  });

  it('that left strays and a listener behind while it waits: the next turn finds none of them', async () => {
    const watched = await claude.open();
    const mark = '87654.4';
    const steps = fakeClaude()
      .init()
      .spawn(['sleep', mark], { setsid: true })
      .spawn(['/bin/sh', '-c', `trap '' INT TERM HUP; sleep ${mark} & wait`], { setsid: true });
    expect(await watched.run(steps.text('m1', 'Left some').result().toMessage())).toMatchObject({
      status: 'completed',
    });
    await waitFor(() => marked(`sleep ${mark}`).length === 0, { what: 'the strays are gone', timeoutMs: 3_000 });
    const next = await watched.run(says('Still the same.').toMessage());
    expect(next).toMatchObject({ status: 'completed', text: 'Still the same.' });
    expect(watched.payloads(next, 'turn:start')).toMatchObject([{ process: 'parked' }]);
    await watched.expectLawful();
    watched.close();
  });

  it.each<[string, string, (path: string) => string]>([
    ['is not there', 'it is needed to run claude', (path) => `${path}.missing`],
    ['may not be executed', 'cannot read and execute', (path) => path],
  ])(
    'that %s when the worker starts: turns are refused with the reason, the path stays in the log',
    async (_, reason, pathOf) => {
      chmodSync(claude.product.fakePath, 0o644);
      await claude.product.replaceWorker({ CHIRALITY_CLAUDE_PATH: pathOf(claude.product.fakePath) });
      const watched = await claude.open();
      const answer = await claude.product.person.call<{ code: string; detail: string }>(
        'POST',
        `/v1/sessions/${watched.id}/turns`,
        { message: 'Hello' },
      );
      expect(answer).toMatchObject({ status: 503, body: { code: 'SANDBOX_UNAVAILABLE' } });
      expect(answer.body.detail).toContain(reason);
      expect(JSON.stringify(answer.body)).not.toContain(claude.product.fakePath);
      watched.close();
      chmodSync(claude.product.fakePath, 0o755);
    },
  );
});
