import type { EarlierTurns, TranscriptState } from '@chirality/domain';
import { request } from '../../../lib/http/api-client';

/** The newest turns of a session, to continue with the events after them. */
export async function getTranscript(sessionId: string): Promise<TranscriptState> {
  return (await request<{ transcript: TranscriptState }>(`/v1/sessions/${sessionId}/transcript`)).transcript;
}

/** The turns right before those that begin with the event `before`, with what was said of them through another event. */
export async function getEarlierTurns(sessionId: string, before: number): Promise<EarlierTurns & { through: number }> {
  const { through, turns, earlier } = await request<{
    through: number;
    turns: EarlierTurns['turns'];
    earlier: string | null;
  }>(`/v1/sessions/${sessionId}/transcript?before=${before}`);
  return { through, turns, firstEventId: earlier === null ? 1 : Number(earlier) };
}
