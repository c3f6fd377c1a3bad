import { z } from 'zod';
import { resolvedPersonaSchema } from './persona';
import { optionsSchema, resolvedOptionsSchema } from './turn-options';

/** A part of the appended prompt that is missing in it; `removedCharacters` is null where a file was too long to be read whole. */
export const promptCutSchema = z.object({
  part: z.enum(['persona', 'context', 'addition']),
  name: z.string(),
  keptCharacters: z.number().int().nonnegative(),
  removedCharacters: z.number().int().nonnegative().nullable(),
});
export type PromptCut = z.infer<typeof promptCutSchema>;

export const promptSectionSchema = z.object({
  part: z.enum(['base', 'context', 'persona', 'mode', 'addition']),
  name: z.string(),
  text: z.string(),
});
export type PromptSection = z.infer<typeof promptSectionSchema>;

/** The prompt that is appended to the program's own; `text` is its sections with an empty line between. Secrets are masked. */
export const assembledPromptSchema = z.object({
  text: z.string(),
  sections: z.array(promptSectionSchema),
  cuts: z.array(promptCutSchema),
  limitCharacters: z.number().int().positive(),
  options: resolvedOptionsSchema,
  persona: resolvedPersonaSchema.nullable(),
});
export type AssembledPrompt = z.infer<typeof assembledPromptSchema>;

export const promptPreviewRequestSchema = z.strictObject({ options: optionsSchema.default({}) });
