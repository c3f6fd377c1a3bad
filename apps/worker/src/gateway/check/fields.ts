import { boundDepth, isObject, type JsonObject } from './parse-body';
import { RequestRefused, shownName } from './request-refused';

/** Throws RequestRefused unless the value, found at `place`, is allowed. */
export type Check = (value: unknown, place: string) => void;

const NOT_SENT = 'Claude Code does not send it';

export function refuseValue(place: string, reason = NOT_SENT): never {
  throw new RequestRefused(place, reason);
}

export const isText: Check = (value, place) => {
  if (typeof value !== 'string') refuseValue(place, 'it is not text');
};

export const isNumber: Check = (value, place) => {
  if (typeof value !== 'number') refuseValue(place, 'it is not a number');
};

export const isBoolean: Check = (value, place) => {
  if (typeof value !== 'boolean') refuseValue(place, 'it is neither true nor false');
};

/** Any JSON, which the service reads as data. */
export const isData: Check = (value, place) => boundDepth(value, place);

export function oneOf(...values: string[]): Check {
  return (value, place) => {
    if (typeof value !== 'string' || !values.includes(value)) refuseValue(`${place} ${shownName(value)}`);
  };
}

export function orNull(check: Check): Check {
  return (value, place) => {
    if (value !== null) check(value, place);
  };
}

export function listOf(check: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) refuseValue(place, 'it is not a list');
    for (const member of value as unknown[]) check(member, place);
  };
}

/** An object with no other fields than these, any of which may be left out. */
export function fieldsOf(allowed: Readonly<Record<string, Check>>): Check {
  return (value, place) => checkFields(objectAt(value, place), allowed, place);
}

export function checkFields(object: JsonObject, allowed: Readonly<Record<string, Check>>, place: string): void {
  for (const [name, value] of Object.entries(object)) {
    const at = place === '' ? shownName(name) : `${place}.${shownName(name)}`;
    const check = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (!check) return refuseValue(at);
    check(value, at);
  }
}

export function objectAt(value: unknown, place: string): JsonObject {
  return isObject(value) ? value : refuseValue(place, 'it is not an object');
}
