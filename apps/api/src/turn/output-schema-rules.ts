import type { OutputSchema } from '@chirality/contracts';
import { maskJson, readOutputSchema } from '@chirality/domain';
import { ProblemError, schemaFault } from '@chirality/platform';

/**
 * What the answer has to be, masked: it stands in the log, and the same is put into force. Refuses what is no JSON schema
 * of an object, or more than is taken.
 */
export function fitOutputSchema(value: OutputSchema | undefined): OutputSchema | null {
  if (value === undefined) return null;
  const read = readOutputSchema(value);
  if ('fault' in read) throw new ProblemError('SCHEMA_INVALID', read.fault);
  const schema = maskJson(read.schema);
  const fault = schemaFault(schema);
  if (fault !== null)
    throw new ProblemError('SCHEMA_INVALID', `This is no JSON Schema of draft 7: ${fault}. Correct it and send again.`);
  return schema;
}
