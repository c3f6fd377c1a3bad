import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { payingFor } from '../../../test/gateway-bench';
import {
  inTurn,
  replyStreaming,
  startModelUpstream,
  streamedAnswer,
  streamedToolCall,
  type ModelUpstream,
} from '../../../test/model-upstream';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from '../../../test/sandbox-host';
import type { UsageRow } from '../../gateway/gateway.types';
import { ModelGateway, type GatewayLease } from '../../gateway/serve/model-gateway';
import { Upstream } from '../../gateway/upstream/upstream';
import { INSIDE } from '../../sandbox/inside-paths';
import { CLAUDE_PROGRAM } from './claude-program';

const KEY = 'sk-ant-the-real-key';

describeAsOrdinaryUser('the real claude in the sandbox, with the gateway as its only way out', () => {
  let host: SandboxHost;
  let upstream: ModelUpstream;
  let gateway: ModelGateway;
  let lease: GatewayLease;
  let rows: UsageRow[];

  beforeEach(async () => {
    host = makeSandboxHost();
    upstream = await startModelUpstream(replyStreaming(streamedAnswer('msg_1', 'Hello from the sandbox')));
    rows = [];
    const onUsage = {
      begin: async () => undefined,
      finish: async (row: UsageRow) => void rows.push({ ...row }),
    };
    gateway = new ModelGateway({
      authorizer: payingFor(new Upstream({ url: upstream.url }), () => KEY),
      runDir: host.runDir,
      onUsage,
      log: { warn: () => undefined, error: () => undefined },
    });
    lease = await gateway.open({ processId: 'proc_1' });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
    host.remove();
  });

  async function claude(prompt: string, ...options: string[]) {
    const result = await host.sandbox.run({
      profile: 'agent',
      paths: { ...host.paths, modelSocket: lease.socketPath },
      command: [
        CLAUDE_PROGRAM,
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--setting-sources',
        '',
        '--strict-mcp-config',
        ...options,
      ],
      env: {
        CLAUDE_CONFIG_DIR: INSIDE.config,
        ANTHROPIC_BASE_URL: 'http://model.gateway',
        ANTHROPIC_UNIX_SOCKET: INSIDE.modelSocket,
        ANTHROPIC_API_KEY: lease.token,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_RETRIES: '1',
      },
      stdin: prompt,
      maxOutputBytes: 8 * 1024 * 1024,
      timeoutMs: 60_000,
    });
    const lines = result.stdout
      .toString()
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return {
      result,
      init: lines.find(({ subtype }) => subtype === 'init'),
      last: lines.find(({ type }) => type === 'result'),
      text: result.stdout.toString(),
    };
  }

  it('answers, and every message of the service is counted', async () => {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const { result, init, last } = await claude('hello');
    expect([result.code, result.stderr.toString()]).toEqual([0, '']);
    expect(init).toMatchObject({ cwd: '/workspace', apiKeySource: 'ANTHROPIC_API_KEY' });
    expect(last).toMatchObject({ is_error: false, result: 'Hello from the sandbox' });
    expect(await lease.unbind()).toEqual([]);
    expect(rows).toMatchObject([
      {
        apiMessageId: 'msg_1',
        model: 'claude-answering',
        outputTokens: 12,
        complete: true,
        binding: { turnId: 'turn_1' },
      },
    ]);
    expect(upstream.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY]);
  }, 60_000);

  it('edits a file of the workspace and leaves its transcript in the configuration', async () => {
    writeFileSync(join(host.paths.workspace, 'greeting.txt'), 'hello old world\n');
    upstream.reply = inTurn([
      streamedToolCall('a', 'Read', { file_path: '/workspace/greeting.txt' }),
      streamedToolCall('b', 'Edit', { file_path: '/workspace/greeting.txt', old_string: 'old', new_string: 'new' }),
      streamedAnswer('msg_c', 'Done'),
    ]);
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const { last } = await claude('edit the greeting', '--permission-mode', 'acceptEdits');
    expect(last).toMatchObject({ is_error: false, result: 'Done', permission_denials: [] });
    expect(readFileSync(join(host.paths.workspace, 'greeting.txt'), 'utf8')).toBe('hello new world\n');
    await lease.unbind();
    expect(rows.map(({ apiMessageId }) => apiMessageId)).toEqual(['a', 'b', 'msg_c']);
    expect(await host.text('ls /config/projects/-workspace')).toMatch(/^[0-9a-f-]{36}\.jsonl$/m);
  }, 60_000);

  it('lets its tools see neither the key nor the host', async () => {
    upstream.reply = inTurn([
      streamedToolCall('a', 'Bash', {
        command: 'env; cat /proc/1/environ /etc/passwd; ls -d /root /work /var; hostname',
        description: 'look around',
      }),
      streamedAnswer('msg_b', 'Seen'),
    ]);
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    process.env['CANARY_PASSWORD'] = 'the-worker-canary';
    const { last, text } = await claude('look around', '--allowedTools', 'Bash');
    delete process.env['CANARY_PASSWORD'];
    expect(last).toMatchObject({ is_error: false, result: 'Seen' });
    expect(text).toContain('agent:x:');
    expect(text).toContain(lease.token);
    expect(text).not.toContain(KEY);
    expect(text).not.toContain('the-worker-canary');
  }, 60_000);

  it('learns at once, not after minutes of retries, that no turn is bound', async () => {
    const { result, last } = await claude('hello');
    expect(result.code).toBe(1);
    expect(last).toMatchObject({ is_error: true, api_error_status: 401 });
    expect(upstream.requests).toEqual([]);
  }, 60_000);

  it('writes its result when it is interrupted by a signal to itself', async () => {
    upstream.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const part of streamedAnswer('msg_1', 'a long story').slice(0, 3)) response.write(part);
    };
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const child = host.sandbox.spawn({
      profile: 'agent',
      paths: { ...host.paths, modelSocket: lease.socketPath },
      command: [
        CLAUDE_PROGRAM,
        '-p',
        '--output-format',
        'stream-json',
        '--include-partial-messages',
        '--verbose',
        '--setting-sources',
        '',
        '--',
        'tell a story',
      ],
      env: {
        CLAUDE_CONFIG_DIR: INSIDE.config,
        ANTHROPIC_BASE_URL: 'http://model.gateway',
        ANTHROPIC_UNIX_SOCKET: INSIDE.modelSocket,
        ANTHROPIC_API_KEY: lease.token,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    });
    child.stdin.end();
    let output = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('a long story')) resolve();
      });
    });
    expect(child.signalProgram('SIGINT')).toBe(true);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(output).toContain('"terminal_reason":"aborted_streaming"');
    await lease.unbind();
    expect(rows).toMatchObject([{ apiMessageId: 'msg_1', complete: false, inputTokens: 10 }]);
  }, 60_000);
});
