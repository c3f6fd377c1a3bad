import { z } from 'zod';

/** A persona as the list shows it; `origin` says whose it is. */
export const personaSchema = z.object({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  origin: z.enum(['project', 'team', 'built-in']),
});
export type Persona = z.infer<typeof personaSchema>;
