import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NdjsonFramer } from '../src/harness/claude-code/framing/ndjson-framer';
import {
  ClaudeStreamMapper,
  type HarnessEvent,
  type HarnessOutput,
  type RunOutcome,
} from '../src/harness/claude-code/mapper/claude-stream-mapper';

export const RECORDINGS = join(__dirname, 'recordings');

type Played = { outputs: HarnessOutput[]; outcome: RunOutcome; noise: number };

type Meta = { argv?: string[]; cwd?: string; exitCode?: number | null; signal?: string | null };

/** Feeds a recording to the product's own reader, in pieces of an odd size, and says what came out. */
export function playRecording(name: string, pieceBytes = 4_099): Played {
  const meta = JSON.parse(readOr(`${name}.meta.json`, '{}')) as Meta;
  const flag = (flagName: string) => {
    const at = meta.argv?.indexOf(flagName) ?? -1;
    return at === -1 ? null : (meta.argv?.[at + 1] ?? null);
  };
  const mapper = new ClaudeStreamMapper({
    requestedSessionId: flag('--resume'),
    asked: { permissionMode: flag('--permission-mode') ?? 'default' },
    clock: () => 0,
  });
  const outputs: HarnessOutput[] = [];
  let noise = 0;
  const framer = new NdjsonFramer({
    onLine: (line) => outputs.push(...mapper.accept(JSON.parse(line))),
    onNoise: () => (noise += 1),
    onTooLong: () => (noise += 1),
  });
  const bytes = readFileSync(join(RECORDINGS, `${name}.ndjson`));
  for (let at = 0; at < bytes.length; at += pieceBytes) framer.push(bytes.subarray(at, at + pieceBytes));
  framer.end();
  const exit = { code: meta.exitCode ?? null, signal: meta.signal ?? null, stderr: readOr(`${name}.stderr`, '') };
  return { outputs, outcome: mapper.finish(exit), noise };
}

type PayloadOf<K extends HarnessEvent['kind']> = Extract<HarnessEvent, { kind: K }>['payload'];

export function eventsOf<K extends HarnessEvent['kind']>(outputs: readonly HarnessOutput[], kind: K): PayloadOf<K>[] {
  return outputs.flatMap((output) =>
    output.type === 'event' && output.event.kind === kind ? [output.event.payload as PayloadOf<K>] : [],
  );
}

/** What a recording amounts to, in the words of expected.json. */
export function rowOf({ outputs, outcome, noise }: Played) {
  const results = new Map(eventsOf(outputs, 'tool:result').map((result) => [result.toolUseId, result.isError]));
  const ofType = <T extends HarnessOutput['type']>(type: T) =>
    outputs.filter((output): output is Extract<HarnessOutput, { type: T }> => output.type === type);
  const usage = outcome.reportedUsage;
  const spoken = eventsOf(outputs, 'chat:complete');
  return {
    state: outcome.outcome,
    code: outcome.error?.code ?? null,
    text: outcome.text,
    degraded: outcome.degraded,
    results: ofType('result').map(({ result }) => ({ state: result.outcome, text: result.text })),
    sessionId: outcome.claudeSessionId,
    forkedFrom:
      ofType('init')
        .map(({ init }) => init.forkedFrom)
        .find((id) => id !== null) ?? null,
    model: outcome.model,
    costUsd: outcome.reportedCostUsd,
    usage: [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens],
    tools: eventsOf(outputs, 'tool:start').map(({ toolUseId, name, parentToolUseId }) => ({
      id: toolUseId,
      name,
      parent: parentToolUseId ?? null,
      failed: results.get(toolUseId) ?? null,
    })),
    progress: eventsOf(outputs, 'tool:progress').map(({ toolUseId, text }) => ({ id: toolUseId, text })),
    patched: eventsOf(outputs, 'tool:result').flatMap(({ toolUseId, patch }) =>
      patch === undefined ? [] : [toolUseId],
    ),
    mutating: outcome.mutatingToolStarted,
    denials: outcome.denials.map(({ tool, toolUseId }) => ({ tool, toolUseId })),
    retries: eventsOf(outputs, 'turn:retry').map(({ status }) => status),
    withdrawn: eventsOf(outputs, 'chat:withdrawn').map(({ messageId, fromBlock }) => ({ messageId, fromBlock })),
    blocks: spoken.filter((block) => block.parentToolUseId === undefined).length,
    thinking: eventsOf(outputs, 'thinking:complete')
      .filter((block) => block.parentToolUseId === undefined)
      .map(({ text }) => text)
      .join(''),
    subagents: spoken
      .filter((block) => block.parentToolUseId !== undefined)
      .map(({ parentToolUseId, text }) => ({ parent: parentToolUseId, text })),
    notices: eventsOf(outputs, 'turn:notice')
      .map(({ code }) => code)
      .filter((code) => code !== 'INIT_MISMATCH'),
    todos: eventsOf(outputs, 'todo:update').at(-1)?.items ?? null,
    compactions: eventsOf(outputs, 'compaction').map(({ trigger }) => trigger),
    controlRequests: ofType('control-request').map(({ request }) => request['subtype']),
    controlAnswers: ofType('control-response').map(({ answer }) => answer.ok),
    noise,
  };
}

export type Row = ReturnType<typeof rowOf>;

function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(join(RECORDINGS, file), 'utf8');
  } catch {
    return fallback;
  }
}
