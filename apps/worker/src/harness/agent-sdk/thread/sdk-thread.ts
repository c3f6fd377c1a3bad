import './no-home';
import { parentPort } from 'node:worker_threads';
import { query, type Options, type Query } from '@anthropic-ai/claude-agent-sdk';
import { ProgramFacade } from './program-facade';
import { HOOKS, type Decision, type FromThread, type QueryStart, type ToThread } from './thread-protocol';

type Port = NonNullable<typeof parentPort>;
type Asked = { resolve(response: Record<string, unknown>): void; reject(error: Error): void };

/** The thread's whole state: one `query()`, the requests that wait for the main thread, the messages to be said. */
class SdkThread {
  private readonly asked = new Map<string, Asked>();
  private readonly messages: Record<string, unknown>[] = [];
  private readonly aborted = new AbortController();
  private readonly program: ProgramFacade;
  private said: () => void = () => undefined;
  private inputEnded = false;
  private running: Query | null = null;
  private sequence = 0;

  constructor(private readonly port: Port) {
    this.program = new ProgramFacade((message) => this.tell(message));
  }

  accept(message: ToThread): void {
    switch (message.type) {
      case 'start':
        void this.run(message.start);
        return;
      case 'say':
        this.messages.push(message.message);
        this.said();
        return;
      case 'end_input':
        this.inputEnded = true;
        this.said();
        return;
      case 'decision':
        this.decide(message.id, message.decision);
        return;
      case 'control':
        void this.control(message.id, message.request);
        return;
      case 'interrupt':
        // Its answer is the turn's end.
        this.running?.interrupt().catch(() => undefined);
        return;
      case 'abort':
        this.aborted.abort();
        return;
      case 'ping':
        this.tell({ type: 'pong' });
        return;
      default:
        this.program.accept(message);
    }
  }

  private async run({ pathToClaudeCodeExecutable, cwd, env, options }: QueryStart): Promise<void> {
    try {
      this.running = query({
        prompt: this.prompts() as Parameters<typeof query>[0]['prompt'],
        options: {
          ...(options as Options),
          pathToClaudeCodeExecutable,
          cwd,
          env,
          abortController: this.aborted,
          hooks: this.hooks(),
          canUseTool: (tool, input, about) =>
            this.ask(
              (id) => ({ type: 'permission_request', id, request: permissionRequest(tool, input, about) }),
              about.signal,
            ) as never,
          spawnClaudeCodeProcess: ({ command, args, cwd: where, env: variables }) => {
            this.tell({ type: 'spawn', command, args, cwd: where ?? null, env: defined(variables) });
            return this.program;
          },
        },
      });
      for await (const message of this.running)
        this.tell({ type: 'sdk_message', message: message as unknown as Record<string, unknown> });
      this.tell({ type: 'done' });
    } catch (error) {
      this.tell({ type: 'error', message: error instanceof Error ? error.message : String(error) });
    }
  }

  private hooks(): NonNullable<Options['hooks']> {
    const one = (name: (typeof HOOKS)[number]) => [
      {
        // Without it a callback that fails lets the tool run.
        ...(name === 'PreToolUse' ? { onFailure: 'block' as const } : {}),
        hooks: [
          (input: unknown, toolUseId: string | undefined, { signal }: { signal: AbortSignal }) =>
            this.ask(
              (id) => ({
                type: 'hook_event',
                id,
                name,
                input: input as Record<string, unknown>,
                toolUseId: toolUseId ?? null,
              }),
              signal,
            ),
        ],
      },
    ];
    return Object.fromEntries(HOOKS.map((name) => [name, one(name)]));
  }

  private async *prompts(): AsyncGenerator<Record<string, unknown>> {
    for (;;) {
      for (let next = this.messages.shift(); next; next = this.messages.shift()) yield next;
      if (this.inputEnded) return;
      await new Promise<void>((resolve) => (this.said = resolve));
    }
  }

  /** What the stream said before the request is sent before it: the SDK hands its messages over a moment later. */
  private async ask(request: (id: string) => FromThread, signal: AbortSignal): Promise<Record<string, unknown>> {
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) throw new Error('withdrawn before it was asked');
    const id = `q${(this.sequence += 1)}`;
    signal.addEventListener('abort', () => {
      if (this.asked.has(id)) this.tell({ type: 'withdrawn', id });
    });
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.tell(request(id));
    });
  }

  private decide(id: string, decision: Decision): void {
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if ('error' in decision) asked?.reject(new Error(decision.error));
    else asked?.resolve(decision.response);
  }

  private async control(id: string, request: Record<string, unknown>): Promise<void> {
    try {
      // Its own methods for this keep the program's answer to themselves, and the answer says what is in force.
      const { request: send } = this.running as unknown as { request?: (what: unknown) => Promise<unknown> };
      if (typeof send !== 'function') throw new Error('the SDK cannot be asked for it');
      const answer = (await send.call(this.running, request)) as { response?: Record<string, unknown> } | undefined;
      this.tell({ type: 'control_answer', id, answer: { ok: true, response: answer?.response ?? {} } });
    } catch (error) {
      this.tell({ type: 'control_answer', id, answer: { ok: false, error: String(error) } });
    }
  }

  private tell(message: FromThread): void {
    this.port.postMessage(message);
  }
}

function permissionRequest(
  tool: string,
  input: Record<string, unknown>,
  about: Parameters<NonNullable<Options['canUseTool']>>[2],
): Record<string, unknown> {
  const { toolUseID, agentID, decisionReason, blockedPath } = about;
  return {
    tool_name: tool,
    input,
    tool_use_id: toolUseID,
    ...(agentID === undefined ? {} : { agent_id: agentID }),
    ...(decisionReason === undefined ? {} : { decision_reason: decisionReason }),
    ...(blockedPath === undefined ? {} : { blocked_path: blockedPath }),
  };
}

function defined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

if (parentPort) {
  const thread = new SdkThread(parentPort);
  parentPort.on('message', (message: ToThread) => thread.accept(message));
  parentPort.postMessage({ type: 'ready' } satisfies FromThread);
}
