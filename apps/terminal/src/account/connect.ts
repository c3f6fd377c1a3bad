import { ChiralityClient } from '@chirality/client';
import type { Environment } from '../environment/environment';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';
import { readAccount } from './stored-account';
import { readTokenFile } from './token-file';

export type AccountOptions = { server?: string | undefined; tokenFile?: string | undefined };

const DEFAULT_SERVER = 'http://127.0.0.1:3000';

/** The address of a server as it was given, without what requests add. */
export function serverOf(options: AccountOptions, environment: Environment): string {
  const given = options.server ?? environment.url ?? readAccount(environment.configDirectory)?.server ?? DEFAULT_SERVER;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Failure(EXIT.usage, `${given} is no address. Begin with https:// or http://.`);
  if (url.username !== '' || url.password !== '')
    throw new Failure(EXIT.usage, 'The address takes no name or password. Run chirality login.');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Where requests go and what signs them. The token of one server is never sent to another. */
export function connectionOf(options: AccountOptions, environment: Environment): { server: string; token: string } {
  const server = serverOf(options, environment);
  const kept = readAccount(environment.configDirectory);
  const given = options.tokenFile === undefined ? environment.token : readTokenFile(options.tokenFile);
  const token = given ?? (kept?.server === server ? kept.token : undefined);
  if (token === undefined)
    throw new Failure(
      EXIT.notSignedIn,
      `You are not signed in to ${server}. Run chirality login, or set CHIRALITY_TOKEN.`,
    );
  return { server, token };
}

export function connect(options: AccountOptions, environment: Environment): ChiralityClient {
  const { server, token } = connectionOf(options, environment);
  return new ChiralityClient({ baseUrl: server, token });
}
