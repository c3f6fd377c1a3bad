import { UsageRecorder } from './usage-recorder';
import type { MessageUsage, UsageRow } from '../gateway.types';

const usage: MessageUsage = {
  apiMessageId: 'msg_1',
  model: 'm',
  inputTokens: 1,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  webSearches: 0,
};
const at = new Date('2026-01-01T00:00:00Z');
const log = { warn: () => undefined, error: () => undefined };

it('repeats a write whose answer was lost under the same id, so that the row stays one', async () => {
  const written: string[] = [];
  const recorder = new UsageRecorder(
    {
      begin: async (row: UsageRow) => {
        written.push(`begin ${row.id} ${row.outputTokens}`);
        if (written.length === 1) throw new Error('the connection broke after the row was stored');
      },
      finish: async (row: UsageRow) => void written.push(`finish ${row.id} ${row.outputTokens} ${row.complete}`),
    },
    log,
    () => at,
  );
  const recording = recorder.begin({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' }, { demo: true }, usage);
  void recording.finish({ ...usage, outputTokens: 9 }, true);
  expect(await recorder.drain(5_000)).toEqual([]);
  const id = /^begin (usage_\S+) 1$/.exec(written[0] ?? '')?.[1];
  expect(written).toEqual([`begin ${id} 1`, `begin ${id} 1`, `finish ${id} 9 true`]);
});

it('hands on whose work it was and who answered', async () => {
  const rows: UsageRow[] = [];
  const recorder = new UsageRecorder(
    { begin: async (row: UsageRow) => void rows.push(row), finish: async () => undefined },
    log,
    () => at,
  );
  void recorder.begin({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' }, { demo: true }, usage).finish(usage, true);
  await recorder.drain(5_000);
  expect(rows).toEqual([
    {
      ...usage,
      id: expect.any(String),
      binding: { turnId: 'turn_1', attempt: 1, authorId: 'user_1' },
      demo: true,
      at,
      complete: false,
    },
  ]);
});
