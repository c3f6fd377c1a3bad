/**
 * Readers for payloads off the wire. An older or newer server may leave a field out or give it another type; the
 * reader's default then stands, so that one odd event never stops a transcript.
 */
export type Fields = Record<string, unknown>;

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function readTextOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function readNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

export function readNumberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function readFields(value: unknown): Fields {
  return readFieldsOrNull(value) ?? {};
}

export function readFieldsOrNull(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function readList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `value` when it is one of `choices`, else the first of them. */
export function readChoice<const T extends string>(value: unknown, choices: readonly [T, ...T[]]): T {
  return choices.find((choice) => choice === value) ?? choices[0];
}

export function readPerson(value: unknown): { userId: string; name: string } | null {
  const { userId, name } = readFields(value);
  return typeof userId === 'string' ? { userId, name: readText(name) } : null;
}

const MONEY = /^-?\d+(\.\d{1,10})?$/;

/** An amount of US dollars as the contracts write it, else null. */
export function readMoneyOrNull(value: unknown): string | null {
  return typeof value === 'string' && MONEY.test(value) ? value : null;
}
