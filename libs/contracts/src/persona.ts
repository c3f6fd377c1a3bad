import { z } from 'zod';
import { idSchema } from './id';
import { timestampSchema } from './scalar';
import { optionsSchema } from './turn-options';

/** Whose a persona is: of the project's files, of the team, or shipped with the installation. */
export const personaOriginSchema = z.enum(['project', 'team', 'built-in']);
export type PersonaOrigin = z.infer<typeof personaOriginSchema>;

const PERSONA_TEXT_LIMIT = 64_000;
export const personaKeySchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9][\w-]*$/, 'must be a persona key');
const contentHashSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');

/** What is wrong with a persona's file, and where; `line` counts from 1. */
export const personaProblemSchema = z.object({
  file: z.string(),
  line: z.number().int().positive(),
  field: z.string().nullable(),
  detail: z.string(),
});
export type PersonaProblem = z.infer<typeof personaProblemSchema>;

/** An option that a file asks for and does not get; `given` is what holds instead, null for what the defaults say. */
export const personaNarrowingSchema = z.object({
  option: z.string(),
  asked: z.unknown(),
  given: z.unknown(),
  reason: z.string(),
});
export type PersonaNarrowing = z.infer<typeof personaNarrowingSchema>;

export const personaApprovalSchema = z.object({ userId: idSchema('user'), name: z.string(), at: timestampSchema });
export type PersonaApproval = z.infer<typeof personaApprovalSchema>;

/** Exactly which persona is meant: a team's by id and version, a project's by file and commit, each by the hash of its text. */
export const resolvedPersonaSchema = z.object({
  key: z.string(),
  name: z.string(),
  origin: personaOriginSchema,
  id: idSchema('persona').nullable(),
  version: z.number().int().positive().nullable(),
  file: z.string().nullable(),
  commit: z.string().nullable(),
  contentHash: contentHashSchema,
  /** Of a project's only: who approved this very text. */
  approval: personaApprovalSchema.nullable(),
  narrowed: z.array(personaNarrowingSchema),
});
export type ResolvedPersona = z.infer<typeof resolvedPersonaSchema>;

/** A persona as the list shows it; `origin` says whose it is, `options` what its file asks for. */
export const personaSchema = resolvedPersonaSchema.extend({
  description: z.string(),
  options: optionsSchema,
  contentHash: contentHashSchema.nullable(),
  problem: personaProblemSchema.nullable(),
  /** Another one has this key and is what the key means. */
  shadowedBy: personaOriginSchema.nullable(),
  choosable: z.boolean(),
});
export type Persona = z.infer<typeof personaSchema>;

/** `notice` says why the project's own ones are missing, where they could not be read. */
export const personaListSchema = z.object({
  data: z.array(personaSchema),
  nextCursor: z.null(),
  notice: z.string().nullable(),
});
export type PersonaList = z.infer<typeof personaListSchema>;

/** `approvedText`: what an admin approved last of this file, when that was another text. */
export const personaDetailSchema = personaSchema.extend({ text: z.string(), approvedText: z.string().nullable() });
export type PersonaDetail = z.infer<typeof personaDetailSchema>;

export const teamPersonaSchema = z.object({
  id: idSchema('persona'),
  teamId: idSchema('team'),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  options: optionsSchema,
  version: z.number().int().positive(),
  contentHash: contentHashSchema,
  text: z.string(),
  savedBy: z.object({ userId: idSchema('user'), name: z.string() }),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  deletedAt: timestampSchema.nullable(),
});
export type TeamPersona = z.infer<typeof teamPersonaSchema>;

export const personaVersionSchema = z.object({
  version: z.number().int().positive(),
  contentHash: contentHashSchema,
  text: z.string(),
  savedBy: z.object({ userId: idSchema('user'), name: z.string() }),
  savedAt: timestampSchema,
});
export type PersonaVersion = z.infer<typeof personaVersionSchema>;

const personaTextSchema = z
  .string()
  .min(1)
  .max(PERSONA_TEXT_LIMIT)
  .refine((text) => !/\p{Surrogate}/u.test(text), 'must be well-formed text');

export const createPersonaSchema = z.strictObject({
  teamId: z.string().optional(),
  key: personaKeySchema,
  text: personaTextSchema,
});
export type CreatePersona = z.infer<typeof createPersonaSchema>;

/** A new text, or the text of an earlier version; `baseVersion` is the one that the editor began from. */
export const updatePersonaSchema = z
  .strictObject({
    baseVersion: z.number().int().positive(),
    text: personaTextSchema.optional(),
    restoreVersion: z.number().int().positive().optional(),
  })
  .refine(
    ({ text, restoreVersion }) => (text === undefined) !== (restoreVersion === undefined),
    'give either text or restoreVersion',
  );
export type UpdatePersona = z.infer<typeof updatePersonaSchema>;

export const approvePersonaSchema = z.strictObject({ contentHash: contentHashSchema });
export const listTeamPersonasQuerySchema = z.object({ teamId: z.string().optional() });
