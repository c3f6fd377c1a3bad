import { z } from 'zod';

/** A command that a client offers when a message begins with a slash: `/name`, `/namespace:name`. */
export const slashCommandSchema = z.object({
  namespace: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  /**
   * A JSON Schema of an object of texts. They are written in the order of its `properties`; the last one takes the
   * rest.
   */
  argsSchema: z.record(z.string(), z.unknown()),
  /** Of a team’s alias: the command line that it stands for. */
  expandsTo: z.string().optional(),
});
export type SlashCommand = z.infer<typeof slashCommandSchema>;

export const slashCommandsQuerySchema = z.object({ sessionId: z.string().optional() });

const slashAliasSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, 'Begin with a letter; use small letters, digits and hyphens, 32 at most.'),
  /** A built-in command with what follows it: `/model haiku`. */
  expandsTo: z.string().trim().startsWith('/', 'Begin with the slash of a built-in command.').max(500),
});
export const slashAliasesSchema = z.object({ aliases: z.array(slashAliasSchema).max(50) });
export type SlashAliases = z.infer<typeof slashAliasSchema>[];
