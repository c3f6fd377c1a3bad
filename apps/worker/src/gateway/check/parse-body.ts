import { RequestRefused } from './request-refused';

export type JsonObject = Record<string, unknown>;

/** Deeper than any request of the program. What is deeper could exhaust the stack of a recursive reader. */
const MAX_DEPTH = 100;
/** Smaller bodies hold too few values to be a way to take the worker's memory. */
const SCANNED_FROM_BYTES = 1024 * 1024;
const MAX_VALUES = 200_000;

const [QUOTE, COMMA, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [
  0x22, 0x2c, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];

/**
 * The body as an object. Where a name stands twice the last one counts, as for every reader of what is sent on, which
 * is made of this object. Throws RequestRefused.
 */
export function parseBody(body: Buffer): JsonObject {
  if (body.length > SCANNED_FROM_BYTES) boundValues(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new RequestRefused('a body that is not JSON', 'it cannot be checked');
  }
  if (!isObject(value)) throw new RequestRefused('a body that is not a JSON object', 'it cannot be checked');
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lets pass what is nested no deeper than `MAX_DEPTH`, whatever it says. */
export function boundDepth(value: unknown, what: string, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new RequestRefused(what, `it is nested deeper than ${MAX_DEPTH} levels`);
  for (const member of Object.values(value)) boundDepth(member, what, depth + 1);
}

/**
 * Before the body is parsed: a few megabytes of brackets would take a hundred times as much memory, and a few million
 * names keep the worker's only thread busy for longer than its lease lasts, which ends the turns of all others.
 */
function boundValues(body: Buffer): void {
  let values = 0;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values += 1;
      depth += 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    if (values > MAX_VALUES || depth > 2 * MAX_DEPTH)
      throw new RequestRefused('a body of very many or very deep parts', 'it cannot be checked');
  }
}
