import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../connection/database';
import { PurgeRepository } from './purge.repository';

/** What stays of what is purged, and why. */
const KEPT = {
  session: 'a row without words, by which usage and audit have a session',
  session_cursor: 'the number of the last event',
  turn: 'until the blob store is emptied',
  shared_workspace: 'until the blob store is emptied',
  usage_record: 'who pays',
  budget_reservation: 'who pays',
  audit_entry: 'who did what',
  worker_process: 'what a worker is to end',
  presence: 'gone within seconds',
};

/** The tables that have a column for a session or project. */
function tablesOf(column: string): string[] {
  const schema = readFileSync(join(__dirname, '../../../../prisma/schema.prisma'), 'utf8');
  return [...schema.matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)].flatMap(([, body = '']) =>
    body.includes(`@map("${column}")`) || (column === 'session_id' && /^ {2}sessionId .*@id/m.test(body))
      ? [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? '']
      : [],
  );
}

/** What is said to the database to purge one. */
async function statements(kind: 'session' | 'project'): Promise<string> {
  const said: string[] = [];
  const query = (sql: string) => {
    said.push(sql);
    return Promise.resolve({ rowCount: 1, rows: [{ id: 'sess_1' }] });
  };
  const client = { query, release: () => undefined, on: () => undefined, off: () => undefined };
  const pool = { connect: () => Promise.resolve(client) } as unknown as Database['pool'];
  expect(await new PurgeRepository({ pool }).purge({ kind, id: `${kind}_1` })).toBe(true);
  return said.join('\n');
}

it.each([
  ['session', 'session_id'],
  ['project', 'project_id'],
] as const)('of a purged %s every table is emptied that is not kept for a reason', async (kind, column) => {
  const said = await statements(kind);
  const tables = tablesOf(column);
  expect(tables.length).toBeGreaterThan(5);
  const left = tables.filter((table) => !said.includes(`DELETE FROM ${table} WHERE ${column} = `));
  expect(left.filter((table) => !(table in KEPT))).toEqual([]);
});
