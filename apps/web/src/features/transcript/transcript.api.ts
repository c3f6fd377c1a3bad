import type { OpenToolCall, Page } from '@chirality/contracts';
import type { EarlierTurns, TranscriptState } from '@chirality/domain';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/http/api-client';

/** The newest turns of a session, to continue with the events after them. */
export async function getTranscript(sessionId: string): Promise<TranscriptState> {
  return (await request<{ transcript: TranscriptState }>(`/v1/sessions/${sessionId}/transcript`)).transcript;
}

/**
 * The turns right before those that begin with the event `before`, with what was said of them through another event.
 */
export async function getEarlierTurns(sessionId: string, before: number): Promise<EarlierTurns & { through: number }> {
  const { through, turns, earlier } = await request<{
    through: number;
    turns: EarlierTurns['turns'];
    earlier: string | null;
  }>(`/v1/sessions/${sessionId}/transcript?before=${before}`);
  return { through, turns, firstEventId: earlier === null ? 1 : Number(earlier) };
}

/** The whole of a result that the event log keeps a preview of. `href` is the server's own, from the event. */
export async function getWholeOutput(href: string): Promise<unknown> {
  const url = new URL(href, window.location.origin);
  if (url.origin !== window.location.origin || !url.pathname.startsWith('/v1/'))
    throw new Error('This result cannot be fetched.');
  return (await request<{ content: unknown }>(url.pathname + url.search)).content;
}

/** Tool calls with an unknown outcome. A new `seen` asks again: it changes when a turn ends and with a verdict. */
export function openCallsQuery(sessionId: string, seen: string) {
  return queryOptions({
    queryKey: ['open-calls', sessionId, seen],
    queryFn: async ({ signal }) =>
      (await request<Page<OpenToolCall>>(`/v1/sessions/${sessionId}/tools/open`, { signal })).data,
    placeholderData: (previous) => previous,
  });
}

type ToolOutcome = {
  sessionId: string;
  turnId: string;
  toolUseId: string;
  outcome: 'failed' | 'succeeded' | 'abort';
  note?: string;
};

/** Records the outcome of a tool call that a crash left open; the model learns it before the next message. */
export function settleTool({ sessionId, turnId, toolUseId, ...body }: ToolOutcome): Promise<unknown> {
  return request(`/v1/sessions/${sessionId}/turns/${turnId}/tools/${encodeURIComponent(toolUseId)}/outcome`, {
    method: 'POST',
    body,
  });
}
