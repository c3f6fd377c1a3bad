import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_NETWORK } from '@chirality/domain';
import { startScriptedModel, type ScriptedModel } from '@chirality/scripted-model';
import { MemoryUsage, payingFor } from '../../../test/gateway-bench';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from '../../../test/sandbox-host';
import { ModelGateway, type GatewayLease } from '../../gateway/serve/model-gateway';
import { Upstream } from '../../gateway/upstream/upstream';
import type { HarnessProcess, HarnessSpec } from '../harness';
import type { HarnessOutput, InitReport } from '../harness-output';
import { claudeCode } from './claude-code';

const SPEC: HarnessSpec = {
  model: 'sonnet',
  permissionMode: 'default',
  maxTurns: 25,
  tools: 'default',
  disallowedTools: [],
  network: NO_NETWORK,
  resume: null,
};
const WRITE = '[[tool Write {"file_path":"/workspace/made.txt","content":"x"}]] [[text Tried.]]';

type Seen = { init: InitReport; notices: string[]; modes: unknown[]; text: string };

describeAsOrdinaryUser('a waiting process of the real program that is switched to another model or mode', () => {
  let host: SandboxHost;
  let model: ScriptedModel;
  let service: Upstream;
  let gateway: ModelGateway;
  let lease: GatewayLease;
  let usage: MemoryUsage;
  let running: HarnessProcess | null = null;

  beforeEach(async () => {
    host = makeSandboxHost();
    usage = new MemoryUsage();
    model = await startScriptedModel({ listen: { port: 0 }, directives: true });
    service = new Upstream({ url: model.url });
    gateway = new ModelGateway({
      authorizer: payingFor(service, () => 'sk-ant-key'),
      runDir: host.runDir,
      onUsage: usage,
      log: { warn: () => undefined, error: () => undefined },
    });
    lease = await gateway.open({ processId: 'proc_1' });
    writeFileSync(join(host.directory, 'prompt.md'), 'Be brief.');
  });
  afterEach(async () => {
    if (running) await end(running);
    await gateway.close();
    service.close();
    await model.close();
    host.remove();
  });

  function start(change: Partial<HarnessSpec> = {}): HarnessProcess {
    const { process } = claudeCode.start(
      { ...SPEC, ...change },
      {
        gatewayToken: lease.token,
        author: { name: 'Ada', email: 'ada@example.org' },
        version: null,
        backlog: { isFull: () => false, whenDrained: async () => undefined },
        spawn: ({ program, args, env, promptFile }) =>
          host.sandbox.spawn({
            profile: 'agent',
            paths: {
              ...host.paths,
              modelSocket: lease.socketPath,
              extraReadOnly: [[join(host.directory, 'prompt.md'), promptFile]],
            },
            command: [program, ...args],
            env,
          }),
      },
    );
    process.initialize();
    running = process;
    return process;
  }

  async function end(process: HarnessProcess): Promise<void> {
    running = null;
    process.sandboxed.killTree();
    await process.exited;
  }

  /** Every tool is denied by the callback, which notes the mode that the program says it is in. */
  async function turn(process: HarnessProcess, message: string): Promise<Seen> {
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    const outputs: HarnessOutput[] = [];
    const modes: unknown[] = [];
    const ended = new Promise<string>((resolve) => {
      process.serve({
        raw: () => undefined,
        stderr: () => undefined,
        noise: () => undefined,
        lineTooLong: () => undefined,
        reading: () => undefined,
        output: (output) => {
          outputs.push(output);
          if (output.type === 'result') resolve(output.result.text);
          if (output.type !== 'control-request') return;
          modes.push((output.request['input'] as Record<string, unknown> | undefined)?.['permission_mode']);
          process.channel.respond(output.requestId, {
            hookSpecificOutput: {
              hookEventName: 'PreToolUse',
              permissionDecision: 'deny',
              permissionDecisionReason: 'a test',
            },
          });
        },
      });
    });
    process.say('message', message);
    const text = await ended;
    await lease.unbind();
    const [init] = outputs.flatMap((output) => (output.type === 'init' ? [output.init] : []));
    const notices = outputs.flatMap((output) =>
      output.type === 'event' && output.event.kind === 'turn:notice' ? [output.event.payload.text] : [],
    );
    return { init: init as InitReport, notices, modes, text };
  }

  const asked = () =>
    model
      .requests()
      .flatMap(({ path, body }) =>
        path.startsWith('/v1/messages?') ? [body as { model: string; system: { text: string }[]; tools: unknown }] : [],
      );

  it('serves one turn with one model and the next with another, and what is paid for says so', async () => {
    const process = start();
    const turns = [await turn(process, '[[text One.]]')];
    for (const next of ['opus', 'haiku', 'sonnet']) {
      expect(await process.retune({ model: next })).toBeNull();
      turns.push(await turn(process, `[[text ${next}.]]`));
    }
    const models = turns.map(({ init }) => init.model);
    expect(models.map((name) => name?.split('-')[1])).toEqual(['sonnet', 'opus', 'haiku', 'sonnet']);
    expect(turns.map(({ text }) => text)).toEqual(['One.', 'opus.', 'haiku.', 'sonnet.']);
    expect(turns.flatMap(({ notices }) => notices)).toEqual([]);
    expect(new Set(turns.map(({ init }) => init.claudeSessionId)).size).toBe(1);
    expect({ asked: asked().map((request) => request.model), paid: usage.rows.map((row) => row.model) }).toEqual({
      asked: models,
      paid: models,
    });
  }, 60_000);

  it('switched before its first message, asks like one that was started that way', async () => {
    const ahead = start();
    // Its answer to `initialize`: one that still starts may take longer than is waited for.
    await once(ahead.sandboxed.stdout, 'data');
    expect(await ahead.retune({ model: 'haiku', permissionMode: 'plan' })).toBeNull();
    const { init } = await turn(ahead, '[[text Told.]]');
    await end(ahead);
    const started = await turn(start({ model: 'haiku', permissionMode: 'plan' }), '[[text Started.]]');
    expect({ model: init.model, mode: init.permissionMode, tools: init.tools }).toEqual({
      model: started.init.model,
      mode: started.init.permissionMode,
      tools: started.init.tools,
    });
    const [told, same] = asked().map(({ system, tools }) => ({ prompt: system.at(-1)?.text, tools }));
    expect(told).toEqual(same);
  }, 60_000);

  it('is in the mode that it was switched to, and its callback before tools comes in each', async () => {
    const process = start();
    const turns = [await turn(process, WRITE)];
    for (const permissionMode of ['plan', 'default', 'acceptEdits', 'dontAsk'] as const) {
      expect(await process.retune({ permissionMode })).toBeNull();
      turns.push(await turn(process, WRITE));
    }
    expect(turns.map(({ init, modes, notices }) => ({ mode: init.permissionMode, modes, notices }))).toEqual(
      ['default', 'plan', 'default', 'acceptEdits', 'dontAsk'].map((mode) => ({ mode, modes: [mode], notices: [] })),
    );
  }, 60_000);

  it('refuses a model that it would have to ask the service for, and asks nothing of it', async () => {
    const process = start();
    await turn(process, '[[text One.]]');
    expect(await process.retune({ model: 'unknown-model' })).toBe('retune_refused');
    expect(asked()).toHaveLength(1);
  }, 60_000);
});
