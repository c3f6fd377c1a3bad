import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_NETWORK } from '@chirality/domain';
import { startScriptedModel, type ScriptedModel } from '@chirality/scripted-model';
import { MemoryUsage, payingFor } from '../../../test/gateway-bench';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from '../../../test/sandbox-host';
import { stillRunning, treeWhenKilled } from '../../../test/process-tree';
import { failingThread, fromSources } from '../../../test/sdk-threads';
import { ModelGateway, type GatewayLease } from '../../gateway/serve/model-gateway';
import { Upstream } from '../../gateway/upstream/upstream';
import type { HarnessProcess, HarnessSpec } from '../harness';
import type { HarnessOutput } from '../harness-output';
import { createAgentSdk } from './agent-sdk';
import { sdkVersion } from './sdk-package';
import type { ThreadSettings } from './thread/thread-link';

const SPEC: HarnessSpec = {
  model: 'sonnet',
  permissionMode: 'default',
  maxTurns: 25,
  tools: 'default',
  disallowedTools: ['WebSearch'],
  effort: 'low',
  network: NO_NETWORK,
  resume: null,
};
const TOUCH = '[[tool Bash {"command":"touch /workspace/ran","description":"leaves a trace"}]] [[text Tried.]]';

type Answer = (process: HarnessProcess, requestId: string, request: Record<string, unknown>) => void;
const answering =
  (output: Record<string, unknown>): Answer =>
  ({ channel }, id) =>
    channel.respond(id, { hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } });
const ALLOW = answering({ permissionDecision: 'allow' });

type Seen = { outputs: HarnessOutput[]; stderr: string; result: Promise<void> };

describeAsOrdinaryUser('the Agent SDK in a thread, with the real program in the sandbox', () => {
  let host: SandboxHost;
  let model: ScriptedModel;
  let service: Upstream;
  let gateway: ModelGateway;
  let lease: GatewayLease;
  let running: HarnessProcess | null = null;

  beforeEach(async () => {
    host = makeSandboxHost();
    model = await startScriptedModel({ listen: { port: 0 }, directives: true });
    service = new Upstream({ url: model.url });
    gateway = new ModelGateway({
      authorizer: payingFor(service, () => 'sk-ant-key'),
      runDir: host.runDir,
      onUsage: new MemoryUsage(),
      log: { warn: () => undefined, error: () => undefined },
    });
    lease = await gateway.open({ processId: 'proc_1' });
    lease.bind({ turnId: 'turn_1', attempt: 1, authorId: 'user_1' });
    writeFileSync(join(host.directory, 'prompt.md'), 'Be brief.');
  });
  afterEach(async () => {
    running?.sandboxed.killTree();
    await running?.exited;
    running = null;
    await gateway.close();
    service.close();
    await model.close();
    host.remove();
  });

  function start(thread: ThreadSettings = fromSources, change: Partial<HarnessSpec> = {}): HarnessProcess {
    const { process } = createAgentSdk(thread).start(
      { ...SPEC, ...change },
      {
        gatewayToken: lease.token,
        author: { name: 'Ada', email: 'ada@example.org' },
        version: sdkVersion(),
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

  function serve(process: HarnessProcess, answer: Answer = ALLOW): Seen {
    let resulted: () => void = () => undefined;
    const seen: Seen = { outputs: [], stderr: '', result: new Promise((resolve) => (resulted = resolve)) };
    process.serve({
      raw: () => undefined,
      noise: () => undefined,
      lineTooLong: () => undefined,
      reading: () => undefined,
      stderr: (chunk) => (seen.stderr += chunk.toString()),
      output: (output) => {
        seen.outputs.push(output);
        if (output.type === 'result') resulted();
        if (output.type === 'control-request') answer(process, output.requestId, output.request);
      },
    });
    return seen;
  }

  async function turn(process: HarnessProcess, message: string, answer?: Answer): Promise<HarnessOutput[]> {
    const seen = serve(process, answer);
    process.say('message', message);
    await seen.result;
    return seen.outputs;
  }

  const hooksIn = (outputs: readonly HarnessOutput[]) =>
    outputs.flatMap((output) =>
      output.type === 'event' && output.event.kind === 'hook:event' ? [output.event.payload] : [],
    );
  const ran = () => existsSync(join(host.paths.workspace, 'ran'));

  it('serves turn after turn, with its hooks as events, and ends when its input does', async () => {
    const process = start();
    const outputs = await turn(process, TOUCH);
    expect(process.outcome(null, '')).toMatchObject({ outcome: 'completed', text: 'Tried.' });
    expect(ran()).toBe(true);
    expect(hooksIn(outputs).map(({ name, decision }) => ({ name, decision }))).toEqual([
      { name: 'UserPromptSubmit', decision: undefined },
      { name: 'PreToolUse', decision: 'allow' },
      { name: 'PostToolUse', decision: undefined },
      { name: 'Stop', decision: undefined },
    ]);
    const at = (fits: (output: HarnessOutput) => boolean) => outputs.findIndex(fits);
    expect(at((one) => one.type === 'event' && one.event.kind === 'tool:start')).toBeLessThan(
      at((one) => one.type === 'control-request'),
    );
    await turn(process, '[[text Again.]]');
    expect(process.outcome(null, '')).toMatchObject({ outcome: 'completed', text: 'Again.' });
    process.endInput();
    expect(await process.exited).toEqual({ code: 0, signal: null });
  }, 60_000);

  it.each<[string, Answer, string]>([
    ['deny', answering({ permissionDecision: 'deny', permissionDecisionReason: 'no' }), 'deny'],
    ['a failure', ({ channel }, id) => channel.respondError(id, 'the service has a fault'), 'block'],
  ])(
    'does not let a tool run whose callback is answered with %s',
    async (_name, answer, word) => {
      const outputs = await turn(start(), TOUCH, answer);
      expect(hooksIn(outputs)).toContainEqual(expect.objectContaining({ name: 'PreToolUse', decision: word }));
      expect(ran()).toBe(false);
    },
    60_000,
  );

  it('runs a tool with the input that it was changed to', async () => {
    const updatedInput = { command: 'echo changed > /workspace/made', description: 'x' };
    await turn(start(), TOUCH, answering({ permissionDecision: 'allow', updatedInput }));
    expect([ran(), readFileSync(join(host.paths.workspace, 'made'), 'utf8')]).toEqual([false, 'changed\n']);
  }, 60_000);

  it('puts to a person what the callback asks about, and withdraws it when the turn is interrupted', async () => {
    const asked: string[] = [];
    const answer: Answer = (process, id, request) => {
      asked.push(String(request['subtype']));
      if (request['subtype'] === 'hook_callback')
        return answering({ permissionDecision: 'ask', permissionDecisionReason: 'x' })(process, id, request);
      process.interrupt();
    };
    const outputs = await turn(start(), TOUCH, answer);
    expect(asked).toEqual(['hook_callback', 'can_use_tool']);
    expect(outputs.map(({ type }) => type)).toContain('control-cancel');
    expect(running?.outcome(null, '')).toMatchObject({ outcome: 'interrupted' });
    expect(ran()).toBe(false);
  }, 60_000);

  it('runs nothing where the thread would have started something else', async () => {
    const process = start(failingThread('started', 'asksForMore'));
    const seen = serve(process);
    process.say('message', TOUCH);
    await process.exited;
    expect(seen.outputs).toEqual([
      { type: 'start-refused', differences: ['argument --dangerously-skip-permissions', 'variable LD_PRELOAD'] },
    ]);
    expect(model.requests()).toEqual([]);
  }, 60_000);

  /** Has a thread fail at that stage; answers what ran when it was decided to end the program. */
  async function crash(stage: string, failure: string) {
    const process = start(failingThread(stage, failure));
    const seen = serve(process, stage === 'ended' ? ALLOW : () => undefined);
    const killed = treeWhenKilled(process.sandboxed);
    process.say('message', TOUCH);
    const { tree } = await killed;
    await process.sandboxed.exited;
    const left = stillRunning(tree);
    await process.exited;
    expect(seen.stderr).toMatch(/^The Agent SDK .*\.\n$/m);
    expect(process.channel.isOpen).toBe(false);
    expect(process.outcome({ code: null, signal: 'SIGKILL' }, '')).toMatchObject(
      stage === 'ended' ? { hasResult: true } : { outcome: 'failed', error: { code: 'PROCESS_CRASHED' } },
    );
    return { ran: tree.length, left };
  }

  it.each(['loaded', 'started', 'announced', 'speaking', 'asking', 'ended'])(
    'leaves no process behind when ten threads crash, one after the other, once they have %s',
    async (stage) => {
      for (let n = 0; n < 10; n += 1) {
        // Where it has ended its exit is no crash: it is expected.
        const { ran: processes, left } = await crash(stage, n % 2 === 0 || stage === 'ended' ? 'throws' : 'exits');
        expect(left).toEqual([]);
        // The sandbox at least: the count would mean nothing otherwise.
        expect(processes).toBeGreaterThan(0);
      }
    },
    120_000,
  );

  it.each([
    ['speaking', 'hoards'],
    ['speaking', 'spins'],
    ['asking', 'babbles'],
  ])(
    'leaves no process behind when the thread, once it has %s, %s',
    async (stage, failure) => expect((await crash(stage, failure)).left).toEqual([]),
    60_000,
  );
});
