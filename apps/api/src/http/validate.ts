import { Body, Injectable, Query, type PipeTransform } from '@nestjs/common';
import { ProblemError } from '@chirality/platform';
import type { z } from 'zod';
import { noteRoute } from './route-notes';

const MOST_ISSUES = 20;

/** Parses with a contract; the refusal names each member that does not fit, and never quotes its value. */
export function parseOrRefuse<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.slice(0, MOST_ISSUES).map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
  const first = errors[0];
  const named = first ? `${first.path || where}: ${first.message}` : where;
  throw new ProblemError('VALIDATION_FAILED', `The ${where} is not valid (${named}).`, { errors });
}

@Injectable()
class ContractPipe implements PipeTransform {
  constructor(
    private readonly schema: z.ZodType,
    private readonly where: string,
  ) {}

  transform(value: unknown): unknown {
    return parseOrRefuse(this.schema, value, this.where);
  }
}

/** The validated JSON body; the contract also goes into the OpenAPI file. An absent body counts as an empty object when `optional`. */
export function JsonBody(schema: z.ZodType, options: { optional?: boolean } = {}): ParameterDecorator {
  return (target, key, index) => {
    noteRoute(target, key, { body: schema, bodyOptional: options.optional ?? false });
    const accepted = options.optional ? { transform: (value: unknown) => value ?? {} } : null;
    Body(...(accepted ? [accepted] : []), new ContractPipe(schema, 'body'))(target, key, index);
  };
}

/** The validated query string. */
export function QueryOf(schema: z.ZodObject): ParameterDecorator {
  return (target, key, index) => {
    noteRoute(target, key, { query: schema });
    Query(new ContractPipe(schema, 'query'))(target, key, index);
  };
}
