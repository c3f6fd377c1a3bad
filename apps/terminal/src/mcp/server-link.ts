import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** A stream that breaks is continued until the server is there again; the program's user ends the program. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: Number.POSITIVE_INFINITY,
};

type LinkEvents = {
  message: (message: JSONRPCMessage) => void;
  /** The token is good no longer. */
  refused: () => void;
  /** The server knows the MCP session no longer. `streamEnd`: what the broken stream had shown last. */
  sessionLost: (streamEnd: string | undefined) => void;
  /** Whether a stream that ended there has nothing more to say. */
  isOver: (streamEnd: string) => boolean;
};

/** One MCP session of the server, over HTTP. What the SDK's transport does not distinguish is read off its requests. */
export function openLink(
  { server, token }: { server: string; token: string },
  events: LinkEvents,
): StreamableHTTPClientTransport {
  const link = new StreamableHTTPClientTransport(new URL(`${server}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    reconnectionOptions: RECONNECTION,
    fetch: async (url, init) => {
      const isStream = init?.method === 'GET';
      const headers = new Headers(init?.headers);
      const streamEnd = headers.get('last-event-id') ?? undefined;
      if (isStream && streamEnd !== undefined && events.isOver(streamEnd)) return ended();
      const response = await fetch(url, init);
      if (response.status === 401) events.refused();
      if (!isStream || response.status !== 404) return response;
      events.sessionLost(streamEnd);
      return ended();
    },
  });
  link.onmessage = events.message;
  return link;
}

/** What the SDK takes for a server without such a stream: it does not ask for it again. */
function ended(): Response {
  return new Response(null, { status: 405 });
}
