import type { EarlierTurns, TranscriptState, TurnView } from '@chirality/domain';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { answerOf, api, rowsOf } from '../../lib/http/api';

function getFold(sessionId: string, before?: number) {
  return answerOf(
    api.GET('/v1/sessions/{sessionId}/transcript', { params: { path: { sessionId }, query: { before } } }),
  );
}

/**
 * What the api folded, by the code that this page folds with (libs/domain). It is as large as the kinds of events are
 * many, so the contract says no more of it than that it is an object.
 */
const folded = <Fold>(fold: Record<string, unknown>) => fold as Fold;

/** The newest turns of a session, to continue with the events after them. */
export async function getTranscript(sessionId: string): Promise<TranscriptState> {
  const answer = await getFold(sessionId);
  if (!('transcript' in answer)) throw new TypeError('A page of turns came where the transcript was asked for.');
  return folded(answer.transcript);
}

/**
 * The turns right before those that begin with the event `before`, with what was said of them through another event.
 */
export async function getEarlierTurns(sessionId: string, before: number): Promise<EarlierTurns & { through: number }> {
  const answer = await getFold(sessionId, before);
  if (!('turns' in answer)) throw new TypeError('The transcript came where a page of turns was asked for.');
  const { through, turns, earlier } = answer;
  return {
    through,
    turns: turns.map((turn) => folded<TurnView>(turn)),
    firstEventId: earlier === null ? 1 : Number(earlier),
  };
}

const RESULT_PATH = /^\/v1\/sessions\/([^/]+)\/turns\/([^/]+)\/tools\/([^/]+)\/result$/;

/** The whole of a result that the event log keeps a preview of. `href` is the server's own, from the event. */
async function getWholeOutput(href: string): Promise<unknown> {
  const url = new URL(href, window.location.origin);
  const [, sessionId, turnId, toolUseId] = RESULT_PATH.exec(url.pathname) ?? [];
  if (
    url.origin !== window.location.origin ||
    sessionId === undefined ||
    turnId === undefined ||
    toolUseId === undefined
  )
    throw new Error('This result cannot be fetched.');
  const path = { sessionId, turnId, toolUseId: decodeURIComponent(toolUseId) };
  return (
    await answerOf(api.GET('/v1/sessions/{sessionId}/turns/{turnId}/tools/{toolUseId}/result', { params: { path } }))
  ).content;
}

export function useWholeOutput() {
  return useMutation({ mutationFn: getWholeOutput });
}

/** Tool calls with an unknown outcome. A new `seen` asks again: it changes when a turn ends and with a verdict. */
export function openCallsQuery(sessionId: string, seen: string) {
  return queryOptions({
    queryKey: ['open-calls', sessionId, seen],
    queryFn: ({ signal }) =>
      rowsOf(api.GET('/v1/sessions/{sessionId}/tools/open', { params: { path: { sessionId } }, signal })),
    placeholderData: (previous) => previous,
  });
}

type ToolCall = { sessionId: string; turnId: string; toolUseId: string };

/** Records the outcome of a tool call that a crash left open; the model learns it before the next message. */
export function useSettleTool(path: ToolCall) {
  return useMutation({
    mutationFn: (body: { outcome: 'failed' | 'succeeded' | 'abort'; note?: string }) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/turns/{turnId}/tools/{toolUseId}/outcome', { params: { path }, body }),
      ),
  });
}
