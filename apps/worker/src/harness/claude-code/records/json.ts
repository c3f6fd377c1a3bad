import { MAX_TOKEN_COUNT, modelNameSchema } from '@chirality/contracts';

/** An object as `JSON.parse` makes it. Nothing about its fields is known. */
export type JsonObject = { readonly [key: string]: unknown };

export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Null for an empty string too: ids and names are never empty. */
export function asName(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Null for what no model can be named: the program runs where a project's code does, and people read this name. */
export function asModelName(value: unknown): string | null {
  return modelNameSchema.safeParse(value).data ?? null;
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A whole number from 0 on; what is none counts as 0. */
export function asCount(value: unknown): number {
  const number = asNumber(value);
  return number === null || number <= 0 ? 0 : Math.min(Math.round(number), Number.MAX_SAFE_INTEGER);
}

/** A count of tokens; one that is too large to be true counts as 0, because it would make every sum that it is part of untrue. */
export function asTokenCount(value: unknown): number {
  const count = asCount(value);
  return count > MAX_TOKEN_COUNT ? 0 : count;
}

export function asTexts(value: unknown): string[] {
  return asArray(value).filter((item): item is string => typeof item === 'string');
}
