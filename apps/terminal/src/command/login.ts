import { hostname, userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, ChiralityClient } from '@chirality/client';
import { serverOf, type AccountOptions } from '../account/connect';
import { signInByDevice } from '../account/device-sign-in';
import { removeAccount, storeAccount } from '../account/stored-account';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';
import type { Terminal } from '../program/terminal';
import { oneLine } from '../text/safe-text';

/** Signs in, and keeps the token once the server has taken it. */
export async function login(
  { environment, note }: Terminal,
  account: AccountOptions,
  { withToken }: { withToken?: boolean },
): Promise<void> {
  const server = serverOf(account, environment);
  const say = (line: string) => note(`${line}\n`);
  const token = withToken
    ? await givenToken()
    : await signInByDevice({ server, clientName: clientName(), say, sleep: (ms) => sleep(ms) });
  const client = new ChiralityClient({ baseUrl: server, token });
  const { user } = await answerOf(client.api.GET('/v1/me'));
  storeAccount(environment.configDirectory, { server, token });
  say(`Signed in to ${server} as ${oneLine(user.name)} (${oneLine(user.email)}).`);
}

export async function logout({ environment, note }: Terminal): Promise<void> {
  removeAccount(environment.configDirectory);
  note('The token is removed from this computer. Revoke it in Settings → Access tokens to end it everywhere.\n');
}

async function givenToken(): Promise<string> {
  const token = (await text(process.stdin)).trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Failure(
      EXIT.usage,
      'There is no token on standard input. Pipe one in: chirality login --with-token < file',
    );
  return token;
}

/** What the person who confirms reads. */
function clientName(): string {
  return `chirality (${userName()}${hostname()})`.slice(0, 100);
}

/** Containers may run as a user who has no name. */
function userName(): string {
  try {
    return `${userInfo().username} at `;
  } catch {
    return '';
  }
}
