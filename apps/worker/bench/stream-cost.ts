import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MaskingStream, maskJson } from '@chirality/domain';
import { NdjsonFramer } from '../src/harness/claude-code/framing/ndjson-framer';
import { ClaudeStreamMapper } from '../src/harness/claude-code/mapper/claude-stream-mapper';
import { ratioRow, type Row } from './report';

const RECORDINGS = ['long-output-300k', 'thinking', 'write-then-edit', 'parallel-tools', 'tasks-tools'];
const CHUNK_BYTES = 64 * 1024;

/** Parsing, masking and mapping a stream, beside only decoding, splitting and JSON.parse. */
export function measureStreamCost(rounds: number): Row[] {
  const bytes = Buffer.concat(
    RECORDINGS.flatMap((name) =>
      Array.from({ length: 8 }, () => readFileSync(join(__dirname, '../test/recordings', `${name}.ndjson`))),
    ),
  );
  const ratios: number[] = [];
  for (let round = 0; round < rounds + 2; round += 1) {
    const base = timed(() => parseOnly(bytes));
    const ours = timed(() => parseMaskMap(bytes));
    if (round >= 2) ratios.push(ours / base);
  }
  return [
    ratioRow(
      'parse, mask and map ÷ decode, split, JSON.parse',
      ratios,
      { most: 1.5 },
      `${(bytes.length / 1e6).toFixed(1)} MB of recorded streams`,
    ),
  ];
}

function chunks(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, i) =>
    bytes.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES),
  );
}

function parseOnly(bytes: Buffer): void {
  let open = '';
  for (const chunk of chunks(bytes)) {
    const lines = (open + chunk.toString('utf8')).split('\n');
    open = lines.pop() ?? '';
    for (const line of lines) if (line !== '') JSON.parse(line);
  }
}

function parseMaskMap(bytes: Buffer): void {
  const mapper = new ClaudeStreamMapper({ requestedSessionId: null, asked: {}, clock: () => performance.now() });
  mapper.beginTurn();
  const masks = new Map<string, MaskingStream>();
  const framer = new NdjsonFramer({
    onLine: (line) => {
      for (const output of mapper.accept(JSON.parse(line))) {
        if (output.type !== 'event') continue;
        const { kind, payload } = output.event;
        if (kind === 'chat:delta' || kind === 'thinking:delta') {
          const key = `${payload.messageId}:${payload.block}`;
          const mask = masks.get(key) ?? new MaskingStream();
          masks.set(key, mask);
          mask.push(payload.text);
        } else maskJson(payload);
      }
    },
    onNoise: () => undefined,
    onTooLong: () => undefined,
  });
  for (const chunk of chunks(bytes)) framer.push(chunk);
  framer.end();
}

function timed(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
