import { z } from 'zod';
import { timestampSchema } from './scalar';

/** Who receives a variable: no process, the project's set-up script alone, or every turn's tools and the script. */
export const variableUseSchema = z.enum(['nobody', 'setup', 'turns']);
export type VariableUse = z.infer<typeof variableUseSchema>;

/** A value for tools, such as a package registry's token. The value goes in and never comes out. */
export const projectVariableSchema = z.object({
  name: z.string(),
  givenTo: variableUseSchema,
  updatedBy: z.object({ userId: z.string(), name: z.string() }),
  updatedAt: timestampSchema,
});
export type ProjectVariable = z.infer<typeof projectVariableSchema>;

export const MAX_VARIABLE_CHARACTERS = 32_768;

/**
 * Without `value` the variable that is there keeps its own. Of fewer than 8 characters it is not hidden where it is
 * shown.
 */
export const putProjectVariableSchema = z.strictObject({
  value: z.string().min(1).max(MAX_VARIABLE_CHARACTERS).optional(),
  givenTo: variableUseSchema.optional(),
});
export type PutProjectVariable = z.infer<typeof putProjectVariableSchema>;

/** Run once in each copy of the project's files, before the first turn there, and again when it was changed. */
export const setupScriptSchema = z.object({ script: z.string().nullable() });
export type SetupScript = z.infer<typeof setupScriptSchema>;
export const putSetupScriptSchema = z.strictObject({ script: z.string().max(32_768).nullable() });
