import 'reflect-metadata';
import { HttpCode, SetMetadata } from '@nestjs/common';
import type { ProblemCode } from '@chirality/contracts';
import type { z } from 'zod';

/**
 * What a route says about itself beside its path: the OpenAPI file and the access matrix of the tests are made from
 * it.
 */
export interface RouteNotes {
  summary?: string;
  status?: number;
  answer?: z.ZodType | null;
  media?: string;
  alsoAnswers?: { status: number; answer: z.ZodType };
  body?: z.ZodType;
  bodyOptional?: boolean;
  query?: z.ZodObject;
  headers?: Record<string, string>;
  problems?: readonly ProblemCode[];
  public?: boolean;
  /** Announced to go: the next release may be without it. */
  deprecated?: boolean;
  beforePasswordChange?: boolean;
}

const NOTES = 'chirality:route-notes';
export const PUBLIC_ROUTE = 'chirality:public-route';

export function noteRoute(target: object, key: string | symbol | undefined, notes: RouteNotes): void {
  if (key === undefined) return;
  const handler = (target as Record<string | symbol, unknown>)[key];
  if (typeof handler !== 'function') return;
  Reflect.defineMetadata(NOTES, { ...routeNotes(handler), ...notes }, handler);
}

export function routeNotes(handler: object): RouteNotes {
  return (Reflect.getMetadata(NOTES, handler) as RouteNotes | undefined) ?? {};
}

/** What the route answers when all is well. `null`: no body. */
export function Answers(
  status: number,
  answer: z.ZodType | null,
  summary: string,
  more: Pick<RouteNotes, 'problems' | 'headers' | 'media' | 'alsoAnswers' | 'deprecated'> = {},
): MethodDecorator {
  return (target, key, descriptor) => {
    noteRoute(target, key, { status, answer, summary, ...more });
    HttpCode(status)(target, key, descriptor);
  };
}

/**
 * Opens a route to people who still have to replace the password that was made for them. Everything else waits until
 * they did.
 */
export function BeforePasswordChange(): MethodDecorator {
  return (target, key) => noteRoute(target, key, { beforePasswordChange: true });
}

/** Opens a route to callers without a token. Everything else asks for one. */
export function Public(): MethodDecorator {
  return (target, key, descriptor) => {
    noteRoute(target, key, { public: true });
    SetMetadata(PUBLIC_ROUTE, true)(target, key, descriptor);
  };
}

/** Refusals that any route may answer with, beside the ones that it names. */
const COMMON: readonly ProblemCode[] = ['VALIDATION_FAILED', 'DATABASE_UNAVAILABLE', 'INTERNAL'];
const SIGNED_IN: readonly ProblemCode[] = [
  'UNAUTHENTICATED',
  'TOKEN_EXPIRED',
  'TOKEN_REVOKED',
  'TOKEN_SCOPE',
  'CRITICAL_CLAIM_UNKNOWN',
];
const OWN_PASSWORD: readonly ProblemCode[] = ['PASSWORD_CHANGE_REQUIRED'];
const WITH_BODY: readonly ProblemCode[] = ['MESSAGE_TOO_LARGE'];

/** Every code that the route may refuse with. */
export function problemsOf({ public: isPublic, beforePasswordChange, body, problems = [] }: RouteNotes): ProblemCode[] {
  return [
    ...(isPublic ? [] : SIGNED_IN),
    ...(isPublic || beforePasswordChange ? [] : OWN_PASSWORD),
    ...COMMON,
    ...(body ? WITH_BODY : []),
    ...problems,
  ];
}
