import { Ajv, type ErrorObject } from 'ajv';
import type { OutputSchema } from '@chirality/contracts';

const MAX_FAULT_CHARS = 400;

/** Why that is no JSON schema that the program takes, in one clause; null where it is one. May take for ever. */
export function schemaFault(schema: OutputSchema): string | null {
  return faultOf(() => void compiled(schema));
}

/** Why that answer is not what the schema says, in one clause; null where it is. May take for ever. */
export function outputFault(schema: OutputSchema, output: unknown): string | null {
  return faultOf(() => {
    const isRight = compiled(schema);
    if (isRight(output) !== true) throw new Error(sentenceOf(isRight.errors ?? []));
  });
}

/** As the program itself judges: strict about keywords, formats are only words. */
function compiled(schema: OutputSchema) {
  if ('$async' in schema) throw new Error('$async is not taken');
  // Inlined, references multiply the code.
  const options = { inlineRefs: false, strictTypes: false, strictTuples: false, validateFormats: false };
  return new Ajv({ ...options, logger: false }).compile(schema);
}

function faultOf(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return cut(String((error as Error).message));
  }
}

function sentenceOf(errors: readonly ErrorObject[]): string {
  return errors.map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message ?? ''}`).join(', ');
}

function cut(text: string): string {
  return text.length > MAX_FAULT_CHARS ? `${text.slice(0, MAX_FAULT_CHARS)}…` : text;
}
