import { workspaceJobSchema, type WorkspaceReply } from '@chirality/contracts';
import { z } from 'zod';

/** Where a worker listens for requests. */
export const workspaceChannel = (workerId: string) => `worker:${workerId}:workspace`;

/** What a workspace request carries around the job: where the reply goes and until when the caller waits for it. */
export const workspaceRequestSchema = z.object({
  replyTo: z.string(),
  requestId: z.string(),
  /** Milliseconds since the epoch. */
  deadline: z.number(),
  job: workspaceJobSchema,
});
export type WorkspaceRequest = z.infer<typeof workspaceRequestSchema>;

export function workspaceUnavailable(detail: string): WorkspaceReply {
  return { act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail };
}
