import type { OutputSchema } from '@chirality/contracts';
import { readOutputSchema } from '@chirality/domain';

/** The schema that a text holds, or what is to be corrected in it. Whether it is one in every part, the server says. */
export function schemaOfText(text: string): { schema: OutputSchema } | { fault: string } {
  if (text.trim() === '') return { fault: 'Write a JSON schema, or paste one.' };
  try {
    return readOutputSchema(JSON.parse(text));
  } catch (error) {
    return { fault: `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` };
  }
}
