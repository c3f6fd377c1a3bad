import { z } from 'zod';
import { priceSchema } from './usage';

/** A model that options may name. */
export const modelSchema = z.object({
  id: z.string(),
  /** Shorter names of Claude Code for it, which options may hold too. */
  aliases: z.array(z.string()),
  /** `program`: Claude Code knows it. `prices`: an owner of the installation gave it a price. */
  source: z.enum(['program', 'prices']),
  /** What it costs today. */
  price: priceSchema,
  /** The same for prompts of more than so many tokens, where they cost more. */
  longPromptPrice: priceSchema.extend({ aboveTokens: z.number().int() }).nullable(),
  /** How many tokens a conversation may have; null where that is not known. */
  contextTokens: z.number().int().nullable(),
});
export type Model = z.infer<typeof modelSchema>;
export const modelsQuerySchema = z.object({ teamId: z.string().optional() });
