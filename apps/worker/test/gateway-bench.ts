import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { GatewayLimits, TurnBinding, UpstreamSettings, UsageRow } from '../src/gateway/gateway.types';
import { ModelGateway, type GatewayLease } from '../src/gateway/serve/model-gateway';
import type { RequestAuthorizer } from '../src/gateway/serve/request-authorizer';
import { Upstream } from '../src/gateway/upstream/upstream';
import { replyStreaming, startModelUpstream, streamedAnswer, type ModelUpstream } from './model-upstream';

export const REAL_KEY = 'sk-ant-the-real-key';

/** Usage as a database would keep it; fails as often as requested. */
export class MemoryUsage {
  readonly begun: UsageRow[] = [];
  readonly finished = new Map<string, UsageRow>();
  failures = 0;

  async begin(row: UsageRow): Promise<void> {
    this.failWhenTold();
    this.begun.push(row);
  }

  async finish(row: UsageRow): Promise<void> {
    this.failWhenTold();
    this.finished.set(row.id, { ...row });
  }

  get rows(): UsageRow[] {
    return [...this.finished.values()];
  }

  private failWhenTold(): void {
    if (this.failures-- > 0) throw new Error('the database is away');
  }
}

export interface GatewayBench {
  runDir: string;
  upstream: ModelUpstream;
  usage: MemoryUsage;
  gateway: ModelGateway;
  lease: GatewayLease;
  /** Keys of people who do not pay with `REAL_KEY`, by their id; read for each request. */
  keys: Map<string, string>;
  /** What was logged, one line each. */
  logged: string[];
  another(settings: {
    limits?: Partial<GatewayLimits>;
    upstream?: UpstreamSettings;
    apiKey?: string;
    authorizer?: RequestAuthorizer;
  }): Promise<{ gateway: ModelGateway; lease: GatewayLease }>;
  close(): Promise<void>;
}

/** A gateway with one lease in front of a service that streams `hello 🎉` unless set otherwise. */
export async function startGatewayBench(): Promise<GatewayBench> {
  const runDir = mkdtempSync('/tmp/chi-gw-');
  const upstream = await startModelUpstream(replyStreaming(streamedAnswer('msg_1', 'hello 🎉')));
  const usage = new MemoryUsage();
  const logged: string[] = [];
  const note = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const opened: { close(): unknown }[] = [];
  const keys = new Map<string, string>();
  const another: GatewayBench['another'] = async ({ limits, ...settings }) => {
    const service = new Upstream(settings.upstream ?? { url: upstream.url });
    const authorizer =
      settings.authorizer ?? payingFor(service, ({ authorId }) => keys.get(authorId) ?? settings.apiKey ?? REAL_KEY);
    const gateway = new ModelGateway({
      authorizer,
      runDir,
      onUsage: usage,
      log: { warn: note, error: note },
      ...(limits ? { limits } : {}),
    });
    opened.push(gateway, service);
    return { gateway, lease: await gateway.open({ processId: 'proc_01JABCDEFGHJKMNPQRSTVWXYZ0' }) };
  };
  return {
    runDir,
    upstream,
    usage,
    keys,
    logged,
    another,
    ...(await another({})),
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await upstream.close();
      rmSync(runDir, { recursive: true, force: true });
    },
  };
}

/** Lets everything pass, with the key that the binding's author has at that moment. */
export function payingFor(upstream: Upstream, keyOf: (binding: TurnBinding) => string): RequestAuthorizer {
  return { admit: async (binding) => ({ account: { upstream, apiKey: keyOf(binding), demo: false } }) };
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

interface Asked {
  token?: string | undefined;
  bearer?: string;
  path?: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  /** Sees each piece of the answer as it arrives. */
  onData?: (chunk: string, message: IncomingMessage) => void;
}

/** Sends one request to a socket as the program would and collects the answer. Rejects when the answer is cut. */
export function ask(socketPath: string, asked: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(asked.token ? { 'x-api-key': asked.token } : {}),
      ...(asked.bearer ? { authorization: `Bearer ${asked.bearer}` } : {}),
      ...asked.headers,
    };
    const request = httpRequest({
      socketPath,
      method: asked.method ?? 'POST',
      path: asked.path ?? '/v1/messages?beta=true',
      headers,
      agent: false,
    });
    request.once('error', reject);
    request.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        asked.onData?.(chunk, response);
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.end(asked.body ?? '{"model":"claude-asked","stream":true}');
  });
}

export function errorTypeOf(answer: Answer): unknown {
  return (JSON.parse(answer.body) as { error: { type: string } }).error.type;
}
