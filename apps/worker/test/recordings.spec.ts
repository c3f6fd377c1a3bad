import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_PAYLOADS } from '@chirality/contracts';
import { eventsOf, playRecording, RECORDINGS, rowOf, type Row } from './play-recording';

const expected = JSON.parse(readFileSync(join(__dirname, 'expected.json'), 'utf8')) as Record<
  string,
  Row & { byHand: boolean }
>;
const names = readdirSync(RECORDINGS)
  .filter((file) => file.endsWith('.ndjson'))
  .map((file) => file.slice(0, -'.ndjson'.length))
  .sort();
/** Long strings and lines were taken out of these recordings, so their parts no longer add up. */
const SHORTENED = new Set(['long-output-300k', 'edit-3mb-file', 'read-image']);

describe('recorded runs of the real program', () => {
  it('are all expected, at least forty of them by hand', () => {
    expect(Object.keys(expected).sort()).toEqual(names);
    expect(names.length).toBeGreaterThanOrEqual(295);
    expect(Object.values(expected).filter((row) => row.byHand).length).toBeGreaterThanOrEqual(40);
  });

  it.each(names)('%s', (name) => {
    const played = playRecording(name);
    const { byHand: _, ...row } = expected[name]!;
    expect(rowOf(played)).toEqual(row);
    expect(played.outputs.filter((output) => output.type === 'ignored')).toEqual([]);
  });

  it.each(names)('%s: every event has the shape of the contract', (name) => {
    for (const output of playRecording(name).outputs) {
      if (output.type === 'event') EVENT_PAYLOADS[output.event.kind].parse(output.event.payload);
    }
  });

  it.each(names.filter((name) => !SHORTENED.has(name)))('%s: deltas joined are their block', (name) => {
    const { outputs } = playRecording(name);
    for (const kind of ['chat', 'thinking'] as const) {
      const joined = new Map<string, string>();
      for (const { messageId, block, text } of eventsOf(outputs, `${kind}:delta`))
        joined.set(`${messageId} ${block}`, (joined.get(`${messageId} ${block}`) ?? '') + text);
      for (const { messageId, block, text } of eventsOf(outputs, `${kind}:complete`)) {
        const deltas = joined.get(`${messageId} ${block}`);
        if (deltas !== undefined) expect(deltas).toBe(text);
      }
    }
  });

  it('are read the same in pieces of any size', () => {
    for (const name of ['unicode', 'write-then-edit', 'stream-cut-once']) {
      const whole = playRecording(name, Number.MAX_SAFE_INTEGER);
      for (const piece of [1, 7, 1_000]) expect(playRecording(name, piece)).toEqual(whole);
    }
  });
});
