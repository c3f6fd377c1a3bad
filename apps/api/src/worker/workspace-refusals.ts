import { workspaceReplySchema, type ProblemCode } from '@chirality/contracts';

const WORKER_REFUSALS: readonly ProblemCode[] = workspaceReplySchema.options.flatMap((reply) =>
  'code' in reply.shape ? reply.shape.code.options : [],
);

const isOfMerges = (code: ProblemCode) => code === 'GIT_CONFLICT';
const isOfGitHosts = (code: ProblemCode) =>
  (code.startsWith('GIT_') && !isOfMerges(code)) || code === 'PULL_REQUEST_FAILED' || code === 'HARNESS_FAILURE';

/** What a route may refuse with that asks a worker about files: that there is none, and whatever the worker may say. */
export const WORKSPACE_REFUSALS: readonly ProblemCode[] = WORKER_REFUSALS.filter(
  (code) => !isOfGitHosts(code) && !isOfMerges(code),
);

/** What a route may refuse with that has a worker look at a repository at another host. */
export const GIT_REFUSALS: readonly ProblemCode[] = [
  ...WORKER_REFUSALS.filter(isOfGitHosts),
  'SANDBOX_UNAVAILABLE',
  'WORKSPACE_UNAVAILABLE',
];
