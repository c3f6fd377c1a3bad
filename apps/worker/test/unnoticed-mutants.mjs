/** Damage that changes nothing that can be seen, each with the reason. */
export const UNNOTICED = [
  [
    "mapper/claude-stream-mapper.ts: remove this.context.ignore(`broken:${error instanceof Error ? error.name : 'unknown'}`);",
    'the wall behind the handlers is never reached: hostile-streams.spec.ts',
  ],
  ['mapper/claude-stream-mapper.ts: negate error instanceof Error', 'the same'],
  [
    "mapper/stream-events.ts: drop alternative BLOCK_KINDS.get(asText(content?.['type']) ?? '') ?? 'other'",
    'no kind and the kind of no interest are treated alike',
  ],
  ['mapper/tools.ts: remove forgetInput(tool);', 'gives memory back'],
  ['records/bounded-json.ts: negate levels === 0', 'an equal copy instead of the same value'],
];
