import { answerOf, type ChiralityClient, type Session } from '@chirality/client';
import { connect, type AccountOptions } from '../account/connect';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';
import type { Terminal } from '../program/terminal';
import { oneLine, safeJson } from '../text/safe-text';
import { table } from '../text/table';
import { projectOf } from './projects';

type ListOptions = { project?: string; search?: string; archived?: boolean; limit: number; json?: boolean };

export async function listSessions(
  { environment, out, note }: Terminal,
  account: AccountOptions,
  { project, search, archived, limit, json }: ListOptions,
): Promise<void> {
  const client = connect(account, environment);
  const projectId = project === undefined ? undefined : (await projectOf(client, project)).id;
  const sessions = await latestSessions(client, limit, { projectId, search, archived: archived ? 'true' : undefined });
  if (json) out(sessions.map((session) => `${safeJson(session)}\n`).join(''));
  else if (sessions.length === 0) note('There are no sessions here. Start one: chirality run --project NAME "…"\n');
  else out(sessionTable(sessions));
}

export function sessionTable(sessions: readonly Session[]): string {
  return table(
    sessions.map(({ id, status, updatedAt, title }) => [id, status, shortTime(updatedAt), title ?? 'Untitled']),
  );
}

type Filter = { projectId?: string | undefined; search?: string | undefined; archived?: 'true' | undefined };

export async function latestSessions(client: ChiralityClient, limit: number, filter: Filter = {}): Promise<Session[]> {
  const sessions: Session[] = [];
  let cursor: string | undefined;
  while (sessions.length < limit) {
    const query = { ...filter, cursor, limit: Math.min(200, limit - sessions.length) };
    const page = await answerOf(client.api.GET('/v1/sessions', { params: { query } }));
    sessions.push(...page.data);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return sessions;
}

/**
 * The session with that id, or the latest one whose title has these words; the latest of all where nothing is given.
 */
export async function sessionOf(client: ChiralityClient, wanted: string | undefined): Promise<Session> {
  if (wanted?.startsWith('sess_'))
    return answerOf(client.api.GET('/v1/sessions/{sessionId}', { params: { path: { sessionId: wanted } } }));
  const [latest] = await latestSessions(client, 1, { search: wanted });
  if (latest !== undefined) return latest;
  const what = wanted === undefined ? 'There is no session yet.' : `No session’s title has ${oneLine(wanted)}.`;
  throw new Failure(EXIT.refused, `${what} chirality sessions lists them.`);
}

/** `11-30 19:45`, in the time of this computer. */
function shortTime(iso: string): string {
  const time = new Date(iso);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
