import { answerOf, rowsOf, type ChiralityClient, type paths } from '@chirality/client';
import { connect, type AccountOptions } from '../account/connect';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';
import type { Terminal } from '../program/terminal';
import { oneLine, safeJson } from '../text/safe-text';
import { table } from '../text/table';

type Body = NonNullable<paths['/v1/tokens']['post']['requestBody']>['content']['application/json'];
type CreateOptions = {
  team?: string;
  class: 'human' | 'agent';
  project?: string[];
  session?: string[];
  command?: string[];
  days?: number;
  mayMint?: boolean;
};

const DAY_MS = 86_400_000;

export async function createToken(
  { environment, out, note }: Terminal,
  account: AccountOptions,
  name: string,
  { team, class: identityClass, project, session, command, days, mayMint = false }: CreateOptions,
): Promise<void> {
  const client = connect(account, environment);
  const body: Body = {
    name,
    teamId: team ?? (await onlyTeam(client)),
    identityClass,
    projects: project,
    sessions: session,
    // What is no command is the server’s to refuse: a later one knows more of them.
    commands: command as Body['commands'],
    ...(days === undefined ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
    mayMint,
    criticalClaims: [],
  };
  const { token, secret } = await answerOf(client.api.POST('/v1/tokens', { body }));
  note(`${oneLine(token.name)} (${token.id}) is good until ${token.expiresAt}. Its value is shown only now:\n`);
  out(`${secret}\n`);
}

export async function listTokens(
  { environment, out, note }: Terminal,
  account: AccountOptions,
  { json }: { json?: boolean },
): Promise<void> {
  const tokens = await rowsOf(connect(account, environment).api.GET('/v1/tokens', {}));
  if (json) out(tokens.map((token) => `${safeJson(token)}\n`).join(''));
  else if (tokens.length === 0) note('There are no tokens.\n');
  else
    out(
      table(
        tokens.map(({ id, name, identityClass, expiresAt, lastUsedAt }) => [
          id,
          identityClass,
          `until ${expiresAt.slice(0, 16)}`,
          lastUsedAt === null ? 'never used' : `used ${lastUsedAt.slice(0, 16)}`,
          name,
        ]),
      ),
    );
}

export async function revokeToken({ environment, note }: Terminal, account: AccountOptions, id: string): Promise<void> {
  const client = connect(account, environment);
  await answerOf(client.api.DELETE('/v1/tokens/{tokenId}', { params: { path: { tokenId: id } } }));
  note('The token is revoked.\n');
}

async function onlyTeam(client: ChiralityClient): Promise<string> {
  const { teams } = await answerOf(client.api.GET('/v1/me'));
  const [only] = teams;
  if (only === undefined || teams.length > 1)
    throw new Failure(
      EXIT.usage,
      `Say for which team: --team ID. Yours are ${teams.map(({ id, name }) => `${oneLine(name)} (${id})`).join(', ') || 'none'}.`,
    );
  return only.id;
}
