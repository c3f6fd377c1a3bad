import { workspaceReplySchema, type ProblemCode } from '@chirality/contracts';

/** What a route may refuse with that asks a worker about files: that there is none, and whatever the worker may say. */
export const WORKSPACE_REFUSALS: readonly ProblemCode[] = workspaceReplySchema.options.flatMap((reply) =>
  'code' in reply.shape ? reply.shape.code.options : [],
);
