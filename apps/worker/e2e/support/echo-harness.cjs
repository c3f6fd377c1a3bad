// A third harness, put into a worker by `node -r`: it talks to nothing, and says again what it hears. That a turn
// runs with it proves that no harness is known anywhere but in the list of them.
const { HARNESSES } = require('../../dist/harness/registry/harnesses.js');

const NAME = 'echo';
const USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Something that lives and can be ended: what a harness's process is to everything around it. */
const COMMAND = {
  program: '/bin/cat',
  args: [],
  env: { PATH: '/usr/bin:/bin' },
  promptFile: '/opt/chirality/prompt.md',
  sealed: { directories: [], files: [] },
};

class EchoProcess {
  constructor(sandboxed, spec) {
    this.sandboxed = sandboxed;
    this.spec = spec;
    this.sink = null;
    this.turns = 0;
    this.conversation = spec.resume ?? `echo-${process.pid}-${Date.now()}`;
    this.said = null;
    this.channel = { isOpen: true, respond: () => false, respondError: () => false };
    this.exited = sandboxed.exited.then((exit) => {
      this.channel.isOpen = false;
      return exit;
    });
    sandboxed.stdout.resume();
    sandboxed.stderr.resume();
  }

  serve(sink) {
    this.sink = sink;
    this.said = null;
    this.turns += 1;
  }

  initialize() {}

  async retune(changes) {
    Object.assign(this.spec, changes);
    return null;
  }

  say(_kind, message) {
    const { model, permissionMode } = this.spec;
    const about = { claudeSessionId: this.conversation, model, tools: [], cwd: '/workspace', permissionMode };
    this.sink.output({ type: 'init', init: { ...about, forkedFrom: null, version: '1.0.0' } });
    this.tell('session:init', { ...about, claudeCodeVersion: '1.0.0' });
    this.said = `Echo ${this.turns}: ${message}`;
    this.sink.output({ type: 'first-text' });
    const block = { messageId: `m${this.turns}`, block: 0, text: this.said };
    this.tell('chat:delta', block);
    this.tell('chat:complete', block);
    this.sink.output({ type: 'result', result: { ...this.report(), resultIndex: 0, queuedTurnCount: 0 } });
  }

  interrupt() {}

  endInput() {
    this.sandboxed.stdin.end();
  }

  outcome() {
    const hasResult = this.said !== null;
    return { ...this.report(), hasResult, streamedMessageIds: [], ignored: new Map() };
  }

  tell(kind, payload) {
    this.sink.output({ type: 'event', event: { kind, payload } });
  }

  report() {
    return {
      outcome: this.said === null ? 'failed' : 'completed',
      error: null,
      retryable: false,
      text: this.said ?? '',
      degraded: false,
      denials: [],
      reportedCostUsd: '0',
      reportedUsage: USAGE,
      reportedByModel: [],
      claudeSessionId: this.conversation,
      model: this.spec.model,
      version: '1.0.0',
      terminalReason: null,
      numTurns: 1,
      openTools: [],
      mutatingToolStarted: false,
    };
  }
}

HARNESSES.push({
  name: NAME,
  keptConfig: [],
  findVersion: async () => '1.0.0',
  argumentsFor: () => COMMAND.args,
  start: (spec, { spawn }) => ({ process: new EchoProcess(spawn(COMMAND), { ...spec }), command: COMMAND }),
});
