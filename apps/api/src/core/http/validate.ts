import { Body, Injectable, Query, type PipeTransform } from '@nestjs/common';
import { ProblemError } from '@chirality/platform';
import type { z } from 'zod';
import { noteRoute } from './route-notes';

const MAX_ISSUES = 20;

const CURSOR = /^[\w.:-]{1,200}$/;

/** The cursor of a page request, for spreading; refused when it cannot be one that a list answered. */
export function cursorOf({ cursor }: { cursor?: string | undefined }): { cursor?: string } {
  if (cursor === undefined) return {};
  if (!CURSOR.test(cursor))
    throw new ProblemError('VALIDATION_FAILED', 'The cursor was not returned by a list. Start again without it.');
  return { cursor };
}

/** Parses with a contract; the refusal names each member that does not fit, and never quotes its value. */
export function parseOrRefuse<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
  const first = errors[0];
  const named = first ? `${first.path || where}: ${first.message}` : where;
  throw new ProblemError('VALIDATION_FAILED', `The ${where} is not valid (${named}).`, { errors });
}

@Injectable()
class ContractPipe implements PipeTransform {
  constructor(
    private readonly schema: z.ZodType,
    private readonly where: string,
    private readonly takesNul: boolean,
  ) {}

  transform(value: unknown): unknown {
    const parsed = parseOrRefuse(this.schema, value, this.where);
    if (!this.takesNul) refuseNul(parsed, this.where);
    return parsed;
  }
}

/** Names and titles cannot keep it. */
export function refuseNul(value: unknown, where: string): void {
  if (holdsNul(value)) throw new ProblemError('VALIDATION_FAILED', `The ${where} contains a NUL character. Remove it.`);
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key.includes('\0') || holdsNul(member));
}

/**
 * The validated JSON body; the contract also goes into the OpenAPI file. An absent body counts as an empty object when
 * `optional`. NUL is refused, for names and titles cannot keep it, unless the route `takesNul`.
 */
export function JsonBody(
  schema: z.ZodType,
  options: { optional?: boolean; takesNul?: boolean } = {},
): ParameterDecorator {
  return (target, key, index) => {
    noteRoute(target, key, { body: schema, bodyOptional: options.optional ?? false });
    const accepted = options.optional ? { transform: (value: unknown) => value ?? {} } : null;
    Body(...(accepted ? [accepted] : []), new ContractPipe(schema, 'body', options.takesNul ?? false))(
      target,
      key,
      index,
    );
  };
}

/** The validated query string. */
export function QueryOf(schema: z.ZodObject): ParameterDecorator {
  return (target, key, index) => {
    noteRoute(target, key, { query: schema });
    Query(new ContractPipe(schema, 'query', false))(target, key, index);
  };
}
