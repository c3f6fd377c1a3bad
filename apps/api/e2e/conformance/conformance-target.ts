import type { CreatedToken, Session } from '@chirality/contracts';
import type { ConformanceOptions } from '@chirality/conformance';
import { OWNER, startStack, TestClient, type Stack } from '@chirality/testing';

/** A server to prove, and what the suite needs to know of it; its model does what a message says. */
export async function startConformanceTarget(): Promise<{ stack: Stack; options: ConformanceOptions }> {
  const stack = await startStack({ workers: 1 });
  const person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
  const teamId = (await person.call<{ data: { id: string }[] }>('GET', '/v1/teams')).body.data[0]?.id ?? '';
  const project = await person.createProject('Conformance');
  const token = await person.call<CreatedToken>('POST', '/v1/tokens', {
    name: 'Conformance',
    teamId,
    identityClass: 'human',
    mayMint: true,
  });
  const otherTeam = await person.call<{ id: string }>('POST', '/v1/teams', { name: 'Others' });
  const elsewhere = await person.call<{ id: string }>('POST', '/v1/projects', {
    name: 'Elsewhere',
    teamId: otherTeam.body.id,
    source: { kind: 'empty' },
  });
  const foreign = await person.call<Session>('POST', '/v1/sessions', { projectId: elsewhere.body.id });
  return {
    stack,
    options: {
      url: stack.url,
      token: token.body.secret,
      teamId,
      projectId: project.id,
      foreignSession: foreign.body.id,
      prompts: {
        answer: '[[text "Hello there."]]',
        long: '[[slow words=60 delay=20]]',
        permission: '[[tool Bash {"command":"echo conformance > conformance.txt"}]] [[text "Done."]]',
      },
    },
  };
}
