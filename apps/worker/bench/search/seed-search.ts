import { searchVectorSql } from '@chirality/database';
import type { Pool } from 'pg';

/** How many words the texts of a turn have, by field. */
const FIELDS: readonly [string, number][] = [
  ['message', 20],
  ['answer', 60],
  ['tool_input', 15],
  ['tool_output', 60],
];
const TEXTS_PER_FIELD = 3_000;
const VOCABULARY = 50_000;

/** Five texts for each turn, of words that are as unequal as those of a language. Indexes are made at the end. */
export async function seedSearch(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ indexdef: string; indexname: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'search_text' AND indexname <> 'search_text_pkey'`,
  );
  for (const { indexname } of rows) await pool.query(`DROP INDEX ${indexname}`);
  await pool.query('CREATE TABLE bench_text (field text, n int, text text, PRIMARY KEY (field, n))');
  for (const [field, words] of FIELDS)
    await pool.query(
      `INSERT INTO bench_text SELECT $1, n, (SELECT string_agg('w' || floor($3::int * power(random(), 4))::int, ' ')
         FROM generate_series(1, $2::int) WHERE n > 0) FROM generate_series(1, $4::int) n`,
      [field, words, VOCABULARY, TEXTS_PER_FIELD],
    );
  await pool.query(
    `INSERT INTO search_text (session_id, event_id, field, turn_id, at, text, words)
     SELECT t.session_id, t.n * 5 + f.ordinal, f.field, t.id, t.queued_at, b.text, ${searchVectorSql('b.text')}
     FROM (SELECT id, session_id, queued_at, row_number() OVER (PARTITION BY session_id ORDER BY id) AS n FROM turn) t
     CROSS JOIN unnest($1::text[]) WITH ORDINALITY AS f(field, ordinal)
     JOIN bench_text b ON b.field = f.field AND b.n = 1 + mod(abs(hashtext(t.id || f.field)), ${TEXTS_PER_FIELD})`,
    [FIELDS.map(([field]) => field)],
  );
  await pool.query(
    `INSERT INTO search_text (session_id, event_id, field, turn_id, at, text, words)
     SELECT session_id, event_id, 'file', turn_id, at, path, ${searchVectorSql(`replace(replace(path, '/', ' '), '.', ' ')`)}
     FROM (SELECT *, 'src/folder' || mod(abs(hashtext(turn_id)), 400) || '/part' || mod(abs(hashtext(turn_id || 'p')), 900) || '.ts' AS path
       FROM search_text WHERE field = 'tool_input') x`,
  );
  for (const { indexdef } of rows) await pool.query(indexdef);
  await pool.query('DROP TABLE bench_text');
  await pool.query('VACUUM ANALYZE search_text');
}
