import { SYSTEM, type NewEvent } from '@chirality/contracts';
import { createDatabase, EventLogWriter } from '@chirality/database';
import { newId } from '@chirality/domain';

/**
 * Fills a session's log with turns that look like real ones, by the product's own writer. Answers how many events it
 * has.
 */
export async function seedTurns(databaseUrl: string, sessionId: string, turns: number): Promise<number> {
  const database = createDatabase({ url: databaseUrl });
  const log = new EventLogWriter({ pool: database.eventPool, onCommitted: () => undefined });
  let count = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const events = turnEvents(newId('turn'), turn);
    count += events.length;
    void log.append({ sessionId, fence: null, events });
  }
  await log.flush();
  await log.close();
  await database.close();
  return count;
}

function turnEvents(turn: string, n: number): NewEvent[] {
  const event = (kind: NewEvent['kind'], payload: unknown) => ({ kind, turn, originator: SYSTEM, payload }) as NewEvent;
  const messageId = `msg_${n}`;
  const text = `Answer ${n}: the **function** in \`src/part-${n}.ts\` returns what it is given, so the test that failed can be fixed there.`;
  const toolUseId = `toolu_${n}`;
  const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return [
    event('turn:queued', { turnKind: 'message', message: `Question ${n}: why does the test fail?`, position: 1 }),
    event('turn:start', { attempt: 1, worker: 'worker_1', process: 'parked' }),
    event('tool:start', {
      toolUseId,
      name: 'Read',
      input: { file_path: `/workspace/src/part-${n}.ts` },
      mutating: false,
    }),
    event('tool:result', { toolUseId, content: `export const part = ${n};`, isError: false, durationMs: 3 }),
    event('chat:delta', { messageId, block: 0, text: text.slice(0, 40) }),
    event('chat:delta', { messageId, block: 0, text: text.slice(40) }),
    event('chat:complete', { messageId, block: 0, text }),
    event('cost:update', { costUsd: '0.001', usage }),
    event('session:complete', { text, degraded: false, costUsd: '0.001', usage }),
    event('turn:end', {
      status: 'completed',
      costUsd: '0.001',
      usage,
      timings: {
        queueMs: 1,
        sandboxMs: 1,
        spawnMs: 1,
        initMs: 1,
        firstTokenMs: 1,
        tools: [],
        persistMs: 1,
        totalMs: 10,
      },
    }),
  ];
}

export const EVENTS_PER_TURN = turnEvents('', 0).length;
