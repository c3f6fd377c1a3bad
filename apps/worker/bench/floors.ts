import { Agent, get } from 'node:http';
import { Client } from 'pg';
import type { Stack } from '@chirality/testing';

const ROUNDS = 200;

/**
 * What no service can do without that keeps what it accepts: one request that asks for nothing, and one row committed
 * by the same Postgres, in milliseconds, each round the sum of both.
 */
export async function requestAndCommitMs(stack: Stack): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const database = new Client({ connectionString: stack.postgres.url });
  await database.connect();
  await database.query('CREATE TABLE bench_commit (id bigserial PRIMARY KEY, text text NOT NULL)');
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await emptyRequest(`${stack.url}/health/live`, agent);
    await database.query({
      name: 'bench',
      text: 'INSERT INTO bench_commit (text) VALUES ($1)',
      values: ['x'.repeat(500)],
    });
    times.push(performance.now() - startedAt);
  }
  await database.query('DROP TABLE bench_commit');
  await database.end();
  agent.destroy();
  return times;
}

function emptyRequest(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().once('end', resolve).once('error', reject)).once(
      'error',
      reject,
    );
  });
}
