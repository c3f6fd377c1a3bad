import { once } from 'node:events';
import { OWNER, TestClient, type Stack } from '@chirality/testing';
import { io } from 'socket.io-client';

const PASSWORD = 'another-horse-battery';

/** A new account, in the owner's team or, with `team: 'own'`, alone in a new team. */
export async function addPerson(
  stack: Stack,
  name: string,
  { team = 'shared' }: { team?: 'shared' | 'own' } = {},
): Promise<TestClient> {
  const owner = await TestClient.login(stack.url, OWNER.email, OWNER.password);
  const teams = await owner.call<{ data: { id: string }[] }>('GET', '/v1/teams');
  const home = teams.body.data[0]?.id ?? '';
  const email = `${name.toLowerCase()}@example.test`;
  const place =
    team === 'shared'
      ? home
      : (await owner.call<{ id: string }>('POST', '/v1/teams', { name: `${name}’s team` })).body.id;
  const invited = await owner.call<{ token: string }>('POST', `/v1/teams/${place}/invitations`, {
    email,
    role: team === 'own' ? 'admin' : 'member',
  });
  const accepted = await owner.call('POST', `/v1/invitations/${invited.body.token}/accept`, {
    name,
    password: PASSWORD,
  });
  if (accepted.status >= 300)
    throw new Error(`${name} could not join: ${accepted.status} ${JSON.stringify(accepted.body)}`);
  return TestClient.login(stack.url, email, PASSWORD);
}

/** Has the session open in a dashboard, as far as the server can tell. Answers how to leave. */
export async function attend(person: TestClient, sessionId: string): Promise<() => void> {
  const socket = io(person.baseUrl, {
    transports: ['websocket'],
    auth: { token: person.token, clientId: 'cli_attending' },
    reconnection: false,
  });
  await once(socket as unknown as NodeJS.EventEmitter, 'connect');
  await socket.timeout(8_000).emitWithAck('session:attach', { session: sessionId, after: 0 });
  return () => void socket.disconnect();
}
