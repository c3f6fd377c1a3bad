import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  type CallToolResult,
  type ElicitRequest,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The official client, with what it was sent. */
export class McpTestClient {
  readonly updated: string[] = [];
  readonly asked: ElicitRequest['params'][] = [];

  private constructor(
    readonly client: Client,
    readonly transport: StreamableHTTPClientTransport,
  ) {}

  /** `fetch`: between the client and the server, to cut connections or lead them to another node. */
  static async connect(url: string, token: string, options: { fetch?: Fetch } = {}): Promise<McpTestClient> {
    const client = new Client({ name: 'outer', version: '1.0.0' }, { capabilities: { elicitation: { url: {} } } });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
      reconnectionOptions: {
        initialReconnectionDelay: 20,
        maxReconnectionDelay: 100,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 20,
      },
      ...(options.fetch ? { fetch: options.fetch } : {}),
    });
    const mcp = new McpTestClient(client, transport);
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      mcp.asked.push(params);
      return { action: 'accept' as const };
    });
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void mcp.updated.push(params.uri));
    await client.connect(transport);
    return mcp;
  }

  async call<T = Record<string, unknown>>(
    name: string,
    input: Record<string, unknown> = {},
    options: Parameters<Client['callTool']>[2] = {},
  ): Promise<T> {
    const result = await this.attempt(name, input, options);
    if (result.isError) throw new Error(textOf(result));
    return result.structuredContent as T;
  }

  /** Also what was refused. */
  async attempt(
    name: string,
    input: Record<string, unknown> = {},
    options: Parameters<Client['callTool']>[2] = {},
  ): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: input }, undefined, options)) as CallToolResult;
  }

  async read(uri: string): Promise<ReadResourceResult['contents'][number]> {
    const [content] = (await this.client.readResource({ uri })).contents;
    if (!content) throw new Error(`${uri} is empty`);
    return content;
  }

  async readJson<T>(uri: string): Promise<T> {
    const content = await this.read(uri);
    return JSON.parse('text' in content ? content.text : '') as T;
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

export function textOf(result: CallToolResult): string {
  return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
