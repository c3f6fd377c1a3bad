import type { EventKind, Turn } from '@chirality/contracts';
import type { RecordedRequest } from '@chirality/scripted-model';
import { waitFor } from '@chirality/testing';
import type { FaultStack } from '../support/fault-stack';
import type { WatchedSession } from '../support/watched-session';

type SeenTool = {
  id: string;
  name: string;
  input: Record<string, unknown>;
  mutating: boolean;
  parent: string | null;
  content: unknown;
  isError: boolean | null;
  payload: Record<string, unknown> | null;
};

/** A turn that is over, as its viewers have seen it. */
export class SeenTurn {
  constructor(
    private readonly product: FaultStack,
    readonly watched: WatchedSession,
    readonly turn: Turn,
  ) {}

  of(kind: EventKind): Record<string, unknown>[] {
    return this.watched.payloads(this.turn, kind);
  }

  get kinds(): EventKind[] {
    return this.watched.kinds(this.turn);
  }

  /** The tools that were called, in the order in which they began. */
  get tools(): SeenTool[] {
    const results = new Map(this.of('tool:result').map((payload) => [payload['toolUseId'], payload]));
    return this.of('tool:start').map((start) => {
      const payload = results.get(start['toolUseId']) ?? null;
      return {
        id: String(start['toolUseId']),
        name: String(start['name']),
        input: start['input'] as Record<string, unknown>,
        mutating: start['mutating'] === true,
        parent: (start['parentToolUseId'] as string | undefined) ?? null,
        content: payload?.['content'] ?? null,
        isError: payload === null ? null : payload['isError'] === true,
        payload,
      };
    });
  }

  notices(code: string): string[] {
    return this.of('turn:notice').flatMap((notice) => (notice['code'] === code ? [String(notice['text'])] : []));
  }

  /** What the model was asked in this session so far, oldest first; counting of tokens and the like left out. */
  get requests(): RecordedRequest[] {
    const conversations = new Set(
      this.watched.live.flatMap(({ kind, payload }) =>
        kind === 'session:init' ? [(payload as { claudeSessionId: string }).claudeSessionId] : [],
      ),
    );
    return (this.product.stack.model?.requests() ?? []).filter(
      ({ headers, path }) =>
        path.startsWith('/v1/messages?') && conversations.has(String(headers['x-claude-code-session-id'])),
    );
  }

  /** All that the model received in the newest request, as text. */
  get lastAsked(): string {
    return JSON.stringify((this.requests.at(-1)?.body as { messages?: unknown } | undefined)?.messages ?? null);
  }

  /** The texts of the person's side in the newest request. */
  get said(): string[] {
    const { messages = [] } = (this.requests.at(-1)?.body ?? {}) as {
      messages?: { role: string; content: string | { text?: string }[] }[];
    };
    return messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.flatMap(({ text }) => text ?? [])));
  }

  /** What a person gets who downloads it; written a moment after the turn's end, so it is waited for. */
  async download(path: string): Promise<string> {
    const read = () =>
      fetch(this.watched.person.baseUrl + path, { headers: { authorization: `Bearer ${this.watched.person.token}` } });
    await waitFor(async () => (await read()).status === 200, { what: `${path} is there`, timeoutMs: 5_000 });
    return (await read()).text();
  }

  /** A file of the session's workspace; null when there is none. */
  async file(path: string): Promise<string | null> {
    const answer = await this.watched.person.call<{ content: string }>(
      'GET',
      `/v1/sessions/${this.watched.id}/files/content?path=${encodeURIComponent(path)}`,
    );
    return answer.status === 200 ? answer.body.content : null;
  }
}
