import { z } from 'zod';
import { idSchema } from './id';
import { openPullRequestSchema } from './pull-request';
import { timestampSchema } from './scalar';

const permissionKindSchema = z.enum(['tool', 'question', 'plan']);
export const permissionOutcomeSchema = z.enum(['allowed', 'denied', 'expired', 'run_ended']);
export type PermissionOutcome = z.infer<typeof permissionOutcomeSchema>;
const permissionScopeSchema = z.enum(['once', 'pattern', 'tool']);

/** The sub-agent that asks: its kind, and the task that it was given. */
export const permissionAgentSchema = z.object({ type: z.string(), task: z.string() });
export type PermissionAgent = z.infer<typeof permissionAgentSchema>;

/**
 * What settled a waiting request without an answer: a rule that was made meanwhile, or auto-approve, and the person who
 * did that.
 */
export const permissionPolicySchema = z.object({
  rule: z.string().optional(),
  autoApprove: z.literal(true).optional(),
  by: z.object({ userId: z.string(), name: z.string() }).optional(),
});
export type PermissionPolicy = z.infer<typeof permissionPolicySchema>;

/**
 * A push that the model proposes, as things stood when it was asked about: `commit` is what a person who allows it
 * sends, in their own name. Lists are cut; the counts are not.
 */
export const pushProposalSchema = z.object({
  remote: z.string(),
  branch: z.string(),
  commit: z.string(),
  /** Newest first. */
  commits: z.array(z.object({ commit: z.string(), subject: z.string() })),
  commitCount: z.number().int().nonnegative(),
  /** Changed files that no commit has: they are not sent. */
  uncommitted: z.array(z.string()),
  uncommittedCount: z.number().int().nonnegative(),
  /** As the model wrote it, else as the commits suggest. */
  pullRequest: z.object({ title: z.string(), body: z.string(), base: z.string(), draft: z.boolean() }),
  /** The model asks for the pull request as well. */
  opensPullRequest: z.boolean(),
});
export type PushProposal = z.infer<typeof pushProposalSchema>;

/** What a person allows of a proposed push. What is left out is as proposed; `pullRequest: null` opens none. */
export const pushProposalAnswerSchema = z.strictObject({
  branch: z.string().trim().min(1).max(200).optional(),
  pullRequest: openPullRequestSchema.pick({ title: true, body: true, base: true, draft: true }).nullable().optional(),
});
export type PushProposalAnswer = z.infer<typeof pushProposalAnswerSchema>;

export const permissionSchema = z.object({
  id: idSchema('permission'),
  sessionId: idSchema('session'),
  turnId: idSchema('turn'),
  kind: permissionKindSchema,
  toolUseId: z.string(),
  tool: z.string(),
  input: z.unknown(),
  reason: z.string(),
  /** All of `patterns` in one text; null when no rule is offered. */
  pattern: z.string().nullable(),
  /** The rules that `allow_pattern` stores, each as it is stored. */
  patterns: z.array(z.string()),
  /** Null where the conversation itself asks. */
  agent: permissionAgentSchema.nullable(),
  /** The call of the sub-agent's tool. */
  parentToolUseId: z.string().nullable(),
  /** Where the tool's call is a push to the project's remote: it is allowed once, and made by the person who does. */
  proposal: pushProposalSchema.nullable(),
  status: z.enum(['pending', 'resolved']),
  outcome: permissionOutcomeSchema.nullable(),
  scope: permissionScopeSchema.nullable(),
  resolvedBy: z.object({ userId: z.string(), name: z.string() }).nullable(),
  resolvedReason: z.string().nullable(),
  createdAt: timestampSchema,
  /** When it expires unanswered. Sooner while no one is present, so it may change. */
  expiresAt: timestampSchema.nullable(),
  resolvedAt: timestampSchema.nullable(),
});
export type Permission = z.infer<typeof permissionSchema>;

/** What was chosen of a question's options, and what was written besides: kept apart, with its line breaks. */
export const questionAnswerSchema = z.union([
  z.string().max(20_000),
  z.strictObject({ chosen: z.array(z.string().max(2_000)).max(50), own: z.string().max(20_000) }),
]);
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

export const permissionDecisionSchema = z.strictObject({
  decision: z.enum(['allow_once', 'allow_pattern', 'allow_tool', 'deny']),
  reason: z.string().max(4_000).optional(),
  answers: z.record(z.string(), questionAnswerSchema).optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  /** For a request with a `proposal`. */
  proposal: pushProposalAnswerSchema.optional(),
});
export type PermissionDecision = z.infer<typeof permissionDecisionSchema>;

export const sessionRuleSchema = z.object({
  id: idSchema('rule'),
  sessionId: idSchema('session'),
  tool: z.string(),
  pattern: z.string().nullable(),
  /** What the rule really allows, where that is more than it shows; null otherwise. */
  tooWide: z.string().nullable(),
  createdBy: z.object({ userId: z.string(), name: z.string() }),
  createdAt: timestampSchema,
});
export type SessionRule = z.infer<typeof sessionRuleSchema>;

export const ruleEffectSchema = z.enum(['allow', 'ask', 'deny']);
export type RuleEffect = z.infer<typeof ruleEffectSchema>;

export const projectRuleSchema = z.object({
  id: idSchema('rule'),
  projectId: idSchema('project'),
  tool: z.string(),
  pattern: z.string().nullable(),
  effect: ruleEffectSchema,
  tooWide: z.string().nullable(),
  createdBy: z.object({ userId: z.string(), name: z.string() }),
  createdAt: timestampSchema,
});
export type ProjectRule = z.infer<typeof projectRuleSchema>;

/** `Bash(git *)` is the tool `Bash` and the pattern `git *`; without a pattern the whole tool is meant. */
export const createProjectRuleSchema = z.strictObject({
  tool: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^()\s\0]+$/, 'must be one tool name'),
  pattern: z.string().trim().min(1).max(500).nullable().default(null),
  effect: ruleEffectSchema,
});
export type CreateProjectRule = z.infer<typeof createProjectRuleSchema>;
