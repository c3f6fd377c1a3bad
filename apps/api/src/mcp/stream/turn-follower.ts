import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Envelope } from '@chirality/contracts';
import type { McpCall } from '@chirality/database';
import { every } from '@chirality/platform';
import { wordsOf } from './turn-words';

/** Where the messages of a call go: into the answer of its request, or a stream that continues it. */
export interface CallOutlet {
  readonly requestId: RequestId;
  /** Whether the client opens a page for its person. */
  readonly opensPages: boolean;
  /** `cursor`: the event that the client has seen once it has the message. */
  send(message: JSONRPCMessage, cursor: number): void;
}

const BETWEEN_MS = 250;
/** Clients that count a call as lost without news have shorter patience than turns are long. */
const REPEAT_MS = 5_000;

/** Says in progress notifications what a turn does, and has the client's person asked where the turn waits for one. */
export class TurnFollower {
  private readonly startedMs = performance.now();
  private readonly stopRepeating: () => void;
  private latest = 'Accepted.';
  private unsaid = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly call: Pick<McpCall, 'progressToken' | 'sessionId'>,
    private readonly outlet: CallOutlet,
    private readonly page: string,
    private cursor: number,
    /** How long the turn has run already: progress never goes back, on another node neither. */
    private readonly ranMs: number,
  ) {
    this.stopRepeating = every(REPEAT_MS, () => this.say(), { background: true });
  }

  see(events: readonly Envelope[]): void {
    for (const event of events) {
      this.cursor = event.id;
      const words = wordsOf(event, this.page);
      if (words !== null) {
        this.latest = words;
        this.unsaid = true;
      }
      if (event.kind === 'permission:request') this.ask(event.payload.permissionId, event.payload.tool);
      if (event.kind === 'permission:resolve') this.tellAnswered(event.payload.permissionId);
    }
    if (this.unsaid) this.timer ??= setTimeout(() => this.say(), BETWEEN_MS).unref();
  }

  stop(): void {
    this.stopRepeating();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private say(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.unsaid = false;
    const { progressToken } = this.call;
    if (progressToken === null) return;
    const progress = Math.round(this.ranMs + performance.now() - this.startedMs) / 1_000;
    const params = { progressToken: JSON.parse(progressToken) as RequestId, progress, message: this.latest };
    this.outlet.send({ jsonrpc: '2.0', method: 'notifications/progress', params }, this.cursor);
  }

  /** The person answers in the dashboard, signed in: what they say through the client would be the agent's word. */
  private ask(permissionId: string, tool: string): void {
    if (!this.outlet.opensPages) return;
    const params = {
      mode: 'url',
      elicitationId: permissionId,
      url: this.page,
      message: `The session asks whether ${tool} may run. Open it to answer.`,
    };
    const id = `${ASKED}${permissionId}`;
    this.outlet.send({ jsonrpc: '2.0', id, method: 'elicitation/create', params }, this.cursor);
  }

  private tellAnswered(permissionId: string): void {
    if (!this.outlet.opensPages) return;
    const params = { elicitationId: permissionId };
    this.outlet.send({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params }, this.cursor);
  }
}

/** How the ids of our own requests begin. What the client answers to them changes nothing. */
const ASKED = 'ask:';
