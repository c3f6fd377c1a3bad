import { request } from '../../../lib/http/api-client';

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
