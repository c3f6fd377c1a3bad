import { runInNewContext } from 'node:vm';
import { Ajv, type ErrorObject } from 'ajv';
import type { OutputSchema } from '@chirality/contracts';

/**
 * A schema comes from outside, and so does what is held against it: a pattern can take years, references multiply. Both
 * are given up after this; a schema that is meant well takes a few milliseconds.
 */
const PATIENCE_MS = 500;

const MAX_FAULT_CHARS = 400;

/** Why that is no JSON schema that the program takes, in one clause; null where it is one. Nothing is fetched. */
export function schemaFault(schema: OutputSchema): string | null {
  return withinPatience(() => void compiled(schema), 'it takes too long to check');
}

/** Why that answer is not what the schema says, in one clause; null where it is. */
export function outputFault(schema: OutputSchema, output: unknown): string | null {
  const found = { fault: null as string | null };
  const failed = withinPatience(() => {
    const isRight = compiled(schema);
    if (isRight(output) !== true) found.fault = sentenceOf(isRight.errors ?? []);
  }, 'it takes too long to check');
  return failed ?? found.fault;
}

/** As the program itself judges: strict about keywords, formats are only words. */
function compiled(schema: OutputSchema) {
  if ('$async' in schema) throw new Error('$async is not taken');
  return new Ajv({ strictTypes: false, strictTuples: false, validateFormats: false, logger: false }).compile(schema);
}

function withinPatience(act: () => void, tooLong: string): string | null {
  try {
    // The limit is the engine's: it ends regular expressions too, and whatever `act` calls.
    runInNewContext('act()', { act }, { timeout: PATIENCE_MS });
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? tooLong : cut(String(message));
  }
}

function sentenceOf(errors: readonly ErrorObject[]): string {
  return cut(errors.map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message ?? ''}`).join(', '));
}

function cut(text: string): string {
  return text.length > MAX_FAULT_CHARS ? `${text.slice(0, MAX_FAULT_CHARS)}…` : text;
}
