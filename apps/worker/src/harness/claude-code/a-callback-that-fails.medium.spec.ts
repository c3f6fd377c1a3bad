import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { payingFor } from '../../../test/gateway-bench';
import {
  inTurn,
  startModelUpstream,
  streamedAnswer,
  streamedToolCall,
  type ModelUpstream,
} from '../../../test/model-upstream';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from '../../../test/sandbox-host';
import { ModelGateway, type GatewayLease } from '../../gateway/serve/model-gateway';
import { Upstream } from '../../gateway/upstream/upstream';
import { INSIDE } from '../../sandbox/inside-paths';
import { CLAUDE_PROGRAM } from './claude-program';
import type { TurnSink } from '../harness';
import { ClaudeProcess } from './claude-process';
import type { ControlChannel } from './control-channel';
import type { RunResult } from '../harness-output';

type Answer = (channel: ControlChannel, requestId: string) => void;

const ALLOWED: Answer = (channel, id) =>
  channel.respond(id, { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } });
const AN_ERROR: Answer = (channel, id) => channel.respondError(id, 'the service has a fault');
const NONSENSE: Answer = (channel, id) =>
  channel.respond(id, { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'perhaps' } });

describeAsOrdinaryUser('a callback before a tool that fails, in the real program', () => {
  let host: SandboxHost;
  let upstream: ModelUpstream;
  let gateway: ModelGateway;
  let lease: GatewayLease;

  beforeEach(async () => {
    host = makeSandboxHost();
    upstream = await startModelUpstream(
      inTurn([
        streamedToolCall('a', 'Bash', { command: 'touch /workspace/ran', description: 'leaves a trace' }),
        streamedAnswer('msg_b', 'Tried'),
      ]),
    );
    const onUsage = { begin: async () => undefined, finish: async () => undefined };
    gateway = new ModelGateway({
      authorizer: payingFor(new Upstream({ url: upstream.url }), () => 'sk-ant-key'),
      runDir: host.runDir,
      onUsage,
      log: { warn: () => undefined, error: () => undefined },
    });
    lease = await gateway.open({ processId: 'proc_1' });
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
    host.remove();
  });

  /** One turn in which the program itself would let the tool run. Answers whether it ran. */
  async function ran(answer: Answer, change: (line: string) => string = (line) => line): Promise<boolean> {
    const child = host.sandbox.spawn({
      profile: 'agent',
      paths: { ...host.paths, modelSocket: lease.socketPath },
      command: [
        CLAUDE_PROGRAM,
        '-p',
        '--input-format',
        'stream-json',
        '--output-format',
        'stream-json',
        '--verbose',
        '--setting-sources',
        '',
        '--strict-mcp-config',
        '--permission-prompt-tool',
        'stdio',
        '--allowedTools',
        'Bash',
      ],
      env: {
        CLAUDE_CONFIG_DIR: INSIDE.config,
        ANTHROPIC_BASE_URL: 'http://model.gateway',
        ANTHROPIC_UNIX_SOCKET: INSIDE.modelSocket,
        ANTHROPIC_API_KEY: lease.token,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    });
    const claude = new ClaudeProcess(
      { ...child, stdin: changing(change, child.stdin) },
      {
        asked: { cwd: INSIDE.workspace, permissionMode: 'default', model: null },
        requestedSessionId: null,
        backlog: { isFull: () => false, whenDrained: async () => undefined },
      },
    );
    let asked = 0;
    const result = new Promise<RunResult>((resolve) => {
      claude.serve({
        ...SILENT,
        output: (output) => {
          if (output.type === 'result') resolve(output.result);
          if (output.type !== 'control-request' || output.request['subtype'] !== 'hook_callback') return;
          asked += 1;
          answer(claude.channel, output.requestId);
        },
      });
    });
    claude.initialize();
    claude.channel.send({
      type: 'user',
      message: { role: 'user', content: 'leave a trace' },
      parent_tool_use_id: null,
      session_id: '',
    });
    expect(await result).toMatchObject({ outcome: 'completed', text: 'Tried' });
    expect(asked).toBe(1);
    claude.channel.end();
    await claude.exited;
    return existsSync(join(host.paths.workspace, 'ran'));
  }

  it('lets it run when it is allowed', async () => expect(await ran(ALLOWED)).toBe(true), 60_000);

  it.each([
    ['an error', AN_ERROR],
    ['nonsense', NONSENSE],
  ])('blocks the tool when it answers %s', async (_name, answer) => expect(await ran(answer)).toBe(false), 60_000);

  it('would not, were it not asked for', async () => {
    const withoutBlock = (line: string) => line.replace(',"onFailure":"block"', '');
    expect(withoutBlock('{"hookCallbackIds":["pre-tool-use"],"onFailure":"block"}')).not.toContain('onFailure');
    expect(await ran(AN_ERROR, withoutBlock)).toBe(true);
  }, 60_000);
});

const SILENT: Omit<TurnSink, 'output'> = {
  raw: () => undefined,
  stderr: () => undefined,
  noise: () => undefined,
  lineTooLong: () => undefined,
  reading: () => undefined,
};

function changing(change: (line: string) => string, to: Writable): Writable {
  const between = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, change(chunk.toString())),
  });
  between.pipe(to);
  return between;
}
