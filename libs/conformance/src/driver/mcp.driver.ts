import type { Envelope } from '@chirality/contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Decision, Driver, Following, Target, TurnOutcome } from './driver';
import { EventLog, LIMIT_MS } from './event-log';
import { Refusal } from './refusal';

type Page = { data: Envelope[]; through: number; more: boolean };
type TurnAnswer = { turnId: string; status: string; text: string };

/** MCP by its official client, over streamable HTTP. Whatever the token's class, a client of it is an agent. */
export class McpDriver implements Driver {
  readonly transport = 'mcp';
  private readonly clients = new Set<Client>();
  private acting: Promise<Client> | null = null;

  constructor(private readonly target: Target) {}

  async createSession(): Promise<string> {
    const { session } = await this.call<{ session: { id: string } }>('create_session', {
      projectId: this.target.projectId,
    });
    return session.id;
  }

  async endSession(session: string): Promise<void> {
    await this.call('end_session', { sessionId: session });
  }

  async send(session: string, message: string): Promise<string> {
    const input = { sessionId: session, message, wait: false };
    return (await this.call<TurnAnswer>('run_agent_with_shell_access', input)).turnId;
  }

  async outcome(session: string, turn: string): Promise<TurnOutcome> {
    return this.call<TurnAnswer>('wait_for_turn', { sessionId: session, turnId: turn });
  }

  async interrupt(session: string): Promise<void> {
    await this.call('cancel_turn', { sessionId: session });
  }

  async answer(session: string, permissionId: string, decision: Decision): Promise<void> {
    await this.call('answer_permission', { sessionId: session, permissionId, decision });
  }

  /** Announcements say that there is more; the events themselves are read as a resource. */
  async follow(session: string, after: number): Promise<Following> {
    const log = new EventLog(() => client.close());
    const client = await this.connect((reason) => log.end(reason));
    let through = after;
    const read = async () => {
      for (let more = true; more;) {
        const page = await pageOf(client, `chirality://v1/session/${session}/events?since=${through}`);
        through = page.through;
        more = page.more;
        log.push(page.data);
      }
    };
    let reading = read();
    await reading;
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => {
      reading = reading.then(read);
      reading.catch((error: Error) => log.end(error.message));
    });
    await callOn(client, 'attach_session', { sessionId: session });
    reading = reading.then(read);
    await reading;
    return log;
  }

  async close(): Promise<void> {
    for (const client of this.clients) await client.close().catch(() => undefined);
  }

  private async call<T>(name: string, input: Record<string, unknown>): Promise<T> {
    const client = await (this.acting ??= this.connect(() => (this.acting = null)));
    return callOn<T>(client, name, input);
  }

  /** The client would open an ended stream again on its own: `onEnd` hears of the end itself. */
  private async connect(onEnd: (reason: string) => void): Promise<Client> {
    const client = new Client({ name: 'chirality-conformance', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${this.target.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${this.target.token}` } },
      fetch: (url, init) => watchedStream(url, init, onEnd),
      reconnectionOptions: {
        initialReconnectionDelay: 50,
        maxReconnectionDelay: 500,
        reconnectionDelayGrowFactor: 1.5,
        maxRetries: 5,
      },
    });
    this.clients.add(client);
    client.onerror = ({ message }) => onEnd(message);
    await asRefusals(client.connect(transport as Parameters<Client['connect']>[0]));
    return client;
  }
}

async function watchedStream(url: string | URL, init: RequestInit | undefined, onEnd: (reason: string) => void) {
  const response = await fetch(url, init);
  if (init?.method !== 'GET' || !response.body) return response;
  const flush = () => onEnd('the server ended the stream');
  return new Response(response.body.pipeThrough(new TransformStream({ flush })), response);
}

async function callOn<T>(client: Client, name: string, input: Record<string, unknown>): Promise<T> {
  const options = { timeout: LIMIT_MS };
  const answer = client.callTool({ name, arguments: input }, undefined, options) as Promise<CallToolResult>;
  const { isError, content, structuredContent } = await asRefusals(answer);
  if (isError !== true) return structuredContent as T;
  const [first] = content;
  throw refusalIn(first?.type === 'text' ? first.text : '');
}

async function pageOf(client: Client, uri: string): Promise<Page> {
  const [content] = (await asRefusals(client.readResource({ uri }))).contents;
  return JSON.parse(content && 'text' in content ? content.text : '') as Page;
}

/** A tool's refusal is a text, `CODE (status): detail`. */
function refusalIn(text: string): Refusal {
  const [, code, status, detail] = /^([A-Z_]+) \((\d+)\): (.*)$/s.exec(text) ?? [];
  return Refusal.of(code === undefined ? { detail: text } : { code, status: Number(status), detail });
}

/**
 * What is refused before a tool: an error of the protocol with our code in its data, or an HTTP answer with a
 * problem.
 */
async function asRefusals<T>(act: Promise<T>): Promise<T> {
  try {
    return await act;
  } catch (error) {
    const { message, data } = error as { message: string; data?: unknown };
    if (typeof data === 'object' && data !== null && 'code' in data) throw Refusal.of({ ...data, detail: message });
    const problem = /\{.*"code":"[A-Z_]+".*\}/s.exec(message)?.[0];
    throw problem === undefined ? error : Refusal.of(JSON.parse(problem));
  }
}
