import { setTimeout as sleep } from 'node:timers/promises';
import { Sentence } from '../text/sentence.mjs';

/**
 * Signs in with the printed password, has the demo model write a file, and reads the file back through the api.
 * @param {import('./container-stack.mjs').ContainerStack} stack
 */
export async function runFirstTurn(stack) {
  const [email, password] = (await stack.firstLogin()).split('\n');
  /**
   * @param {string} method
   * @param {string} path
   * @param {object | null} body
   * @param {string} [token]
   */
  const call = async (method, path, body, token) => {
    const response = await fetch(stack.url + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body: body === null ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Sentence(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const first = await call('POST', '/v1/auth/login', { email, password });
  const { accessToken: token } = await call(
    'POST',
    '/v1/auth/password/change',
    { currentPassword: password, newPassword: 'correct-horse-battery' },
    first.accessToken,
  );
  const project = await call('POST', '/v1/projects', { name: 'Demo', source: { kind: 'empty' } }, token);
  const session = await call('POST', '/v1/sessions', { projectId: project.id }, token);
  const { turn } = await call(
    'POST',
    `/v1/sessions/${session.id}/turns`,
    { message: 'create a file called hello.py' },
    token,
  );
  let seen = turn;
  for (let tries = 0; tries < 300 && seen.endedAt === null; tries += 1) {
    await sleep(200);
    seen = await call('GET', `/v1/sessions/${session.id}/turns/${turn.id}`, null, token);
  }
  if (seen.status !== 'completed') throw new Sentence(`The turn is ${seen.status}: ${JSON.stringify(seen.error)}`);
  /** @type {{ data: { path: string }[] }} */
  const { data } = await call('GET', `/v1/sessions/${session.id}/files?path=`, null, token);
  if (!data.some(({ path }) => path === 'hello.py'))
    throw new Sentence(`The file is not there, only ${data.map(({ path }) => path).join(', ')}.`);
}
