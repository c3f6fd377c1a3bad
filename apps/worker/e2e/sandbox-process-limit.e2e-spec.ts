// Runs alone: a machine has so many processes for all that run on it.
import { TestClient } from '@chirality/testing';
import { addPerson } from './support/people';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { turnProcesses } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(180_000);

/** More than one sandbox may have, kept after the first refusal: a shell would give up then. */
const FORK = 'for (1 .. 900) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 600; exit } } sleep 600';
const FORKING = `[[tool Bash ${JSON.stringify({ command: `perl -e '${FORK}'`, timeout: 600_000 })}]] [[text "Never."]]`;

describe('a turn that starts every process it can', () => {
  let product: FaultStack;
  let neighbour: TestClient;

  beforeAll(async () => {
    product = await startFaultStack();
    neighbour = await addPerson(product.stack, 'Nia', { team: 'own' });
  });
  afterAll(() => product?.stop());

  it('leaves another team’s turns alone, names the limit in its own and leaves nothing behind when it is stopped', async () => {
    const greedy = await WatchedSession.open(product.person, product.projectId, {
      options: { autoApproveTools: ['Bash'] },
    });
    const others = await WatchedSession.open(neighbour, (await neighbour.createProject()).id);
    const forking = await greedy.send(FORKING);
    await greedy.saw('turn:notice', forking);
    expect(greedy.payloads(forking, 'turn:notice')).toMatchObject([
      {
        level: 'warning',
        code: 'RESOURCE_LIMIT',
        text: expect.stringContaining('as many processes as its sandbox may') as string,
      },
    ]);

    for (const word of ['One.', 'Two.'])
      expect(await others.run(`[[tool Bash {"command":"ls"}]] [[text "${word}"]]`)).toMatchObject({
        status: 'completed',
        text: word,
      });
    expect(await (await fetch(`${product.stack.url}/health/ready`)).json()).toMatchObject({ status: 'ok' });

    await product.person.call('POST', `/v1/sessions/${greedy.id}/interrupt`);
    // Claude Code itself may not live until then: it cannot start a thread.
    const ended = await greedy.end(forking, 30_000);
    expect(ended.status === 'interrupted' ? 'RESOURCE_LIMIT' : ended.error?.code).toBe('RESOURCE_LIMIT');
    expect(
      greedy.payloads(forking, 'turn:notice').filter((notice) => 'code' in notice && notice.code === 'RESOURCE_LIMIT'),
    ).toHaveLength(1);
    expect(await greedy.run('[[text "Free again."]]')).toMatchObject({ status: 'completed', text: 'Free again.' });
    expect(turnProcesses(greedy.id).length).toBeLessThan(10);
    await greedy.expectLawful();
    await others.expectLawful();
    for (const one of [greedy, others]) one.close();
  });
});
