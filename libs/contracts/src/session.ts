import { z } from 'zod';
import { idSchema } from './id';
import { personaKeySchema, personaOriginSchema } from './persona';
import { refreshFailureSchema, projectVisibilitySchema } from './project';
import { identityClassSchema, knownCostShape, pageQuerySchema, timestampSchema } from './scalar';
import { optionsSchema } from './turn-options';

export const sessionModeSchema = z.enum(['workbench', 'pipeline', 'direct']);
export type SessionMode = z.infer<typeof sessionModeSchema>;
export const workspaceKindSchema = z.enum(['own', 'shared']);
export const harnessNameSchema = z.enum(['claude-code', 'agent-sdk']);
export type HarnessName = z.infer<typeof harnessNameSchema>;
export const visibilitySchema = z.enum(['private', 'project', 'project_read']);
export type Visibility = z.infer<typeof visibilitySchema>;
export const sessionStatusSchema = z.enum(['idle', 'running', 'waiting', 'archived']);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** Why files of a session could not be stored: too many bytes that are not ignored, or the store refused them. */
const unstoredReasonSchema = z.enum(['too_large', 'failed']);
export type UnstoredReason = z.infer<typeof unstoredReasonSchema>;

export const sessionSchema = z.object({
  id: idSchema('session'),
  teamId: idSchema('team'),
  projectId: idSchema('project'),
  ownerId: idSchema('user'),
  title: z.string(),
  persona: z.string().nullable(),
  /** Where it came from when it was chosen; null for no persona. */
  personaOrigin: personaOriginSchema.nullable(),
  mode: sessionModeSchema,
  workspace: workspaceKindSchema,
  /** The same in every session that shares these files; null where the session has its own. */
  sharedWorkspaceId: idSchema('sharedWorkspace').nullable(),
  harness: harnessNameSchema,
  visibility: visibilitySchema,
  /** Who has its project at all: with `members`, sharing reaches only those. */
  projectVisibility: projectVisibilitySchema,
  options: optionsSchema,
  status: sessionStatusSchema,
  claudeSessionId: z.string().nullable(),
  bootFingerprint: z.string().nullable(),
  bootedAt: timestampSchema.nullable(),
  activeTurnId: idSchema('turn').nullable(),
  /** Why it started from older files than the project's remote has; null where it did not. */
  baseNotice: refreshFailureSchema.nullable(),
  /** Its newest files are on the disk of one worker alone, because storing them fails; null while they are stored. */
  unstored: z.object({ since: timestampSchema, reason: unstoredReasonSchema }).nullable(),
  lastEventId: z.number().int().nonnegative(),
  /** The client that created it; a token by its name. */
  startedBy: z.object({ identityClass: identityClassSchema, tokenName: z.string().nullable() }),
  ...knownCostShape,
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Session = z.infer<typeof sessionSchema>;

const titleSchema = z.string().trim().min(1).max(200);

export const createSessionSchema = z.strictObject({
  projectId: z.string(),
  persona: personaKeySchema.nullish(),
  mode: sessionModeSchema.default('workbench'),
  workspace: workspaceKindSchema.default('own'),
  harness: harnessNameSchema.default('claude-code'),
  visibility: visibilitySchema.default('private'),
  title: titleSchema.optional(),
  options: optionsSchema.default({}),
  /** It is made for a first message: no list shows it before, and without one it is gone after a day. */
  awaitsMessage: z.boolean().default(false),
});
export type CreateSession = z.infer<typeof createSessionSchema>;

export const updateSessionSchema = z.strictObject({
  title: titleSchema.optional(),
  visibility: visibilitySchema.optional(),
  /** What runs its turns, from the next one on; the conversation continues. */
  harness: harnessNameSchema.optional(),
  persona: personaKeySchema.nullish(),
  options: optionsSchema.optional(),
});
export type UpdateSession = z.infer<typeof updateSessionSchema>;

export const listSessionsQuerySchema = pageQuerySchema.extend({
  projectId: z.string().optional(),
  search: z.string().max(200).optional(),
  /** Only those that wait for a person. */
  status: z.literal('waiting').optional(),
  archived: z.stringbool().default(false),
});
