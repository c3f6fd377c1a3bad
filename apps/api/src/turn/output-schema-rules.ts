import type { OutputSchema } from '@chirality/contracts';
import { maskJson, readOutputSchema } from '@chirality/domain';
import { ProblemError, type SchemaJudge } from '@chirality/platform';

/**
 * What the answer has to be, masked: it stands in the log, and the same is put into force. Refuses what is no object
 * that describes an object, or more than is taken; whether it is a schema in every part is left to `refuseUnfitSchema`.
 */
export function fitOutputSchema(value: OutputSchema | undefined): OutputSchema | null {
  if (value === undefined) return null;
  const read = readOutputSchema(value);
  if ('fault' in read) throw new ProblemError('SCHEMA_INVALID', read.fault);
  return maskJson(read.schema);
}

/** Judges every part of the schema. That may take long: it comes after everything else that could refuse. */
export async function refuseUnfitSchema(
  judge: Pick<SchemaJudge, 'schemaFault'>,
  userId: string,
  schema: OutputSchema,
): Promise<void> {
  const fault = await judge.schemaFault(userId, schema);
  if (fault !== null)
    throw new ProblemError('SCHEMA_INVALID', `This is no JSON Schema of draft 7: ${fault}. Correct it and send again.`);
}
