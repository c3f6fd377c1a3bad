import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { sessionStatusSchema } from '@chirality/contracts';
import { z } from 'zod';

/** What a tool's handler knows of its request beside the arguments. */
export type ToolCall = { requestId: RequestId; progressToken: RequestId | undefined; signal: AbortSignal };

/** A session as far as a program needs it. */
export const shownSessionSchema = z.object({
  id: z.string(),
  title: z.string(),
  projectId: z.string(),
  status: sessionStatusSchema,
  mode: z.string(),
  persona: z.string().nullable(),
  model: z.string().nullable(),
  permissionMode: z.string().nullable(),
  activeTurnId: z.string().nullable(),
  lastEventId: z.number().int(),
  costUsd: z.string().nullable(),
  updatedAt: z.string(),
  page: z.string().describe('Where a person sees it in the dashboard'),
});
export type ShownSession = z.infer<typeof shownSessionSchema>;
