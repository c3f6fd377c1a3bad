import {
  COMMAND_INPUTS,
  EVENT_PAYLOADS,
  PROBLEM_STATUS,
  PROTOCOL_VERSION,
  type ProblemCode,
} from '@chirality/contracts';
import type { z } from 'zod';
import { TOKEN_ROUTES } from '../access/token-routes';
import { problemsOf } from '../core/http/route-notes';
import type { Route } from '../core/http/route-table';
import { jsonSchemaOf, namedSchemas, type JsonSchema } from './json-schema';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of these routes. The same routes give the same text. */
export function openApiDocument(routes: readonly Route[], version: string, basePath = ''): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chirality',
      version,
      description: 'A self-hosted service in which a team shares Claude Code.',
      'x-protocol-version': PROTOCOL_VERSION,
    },
    servers: [{ url: basePath || '/' }],
    security: [{ accessToken: [] }],
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: namedSchemas(),
    },
    // What each command takes over transports that have no routes; `x-command` of a route names the one that it
    // stands for.
    'x-commands': Object.fromEntries(
      Object.entries(COMMAND_INPUTS).map(([command, input]) => [command, jsonSchemaOf(input, 'input')]),
    ),
    'x-events': Object.fromEntries(
      Object.entries(EVENT_PAYLOADS).map(([kind, payload]) => [kind, jsonSchemaOf(payload, 'output')]),
    ),
  };
}

function operation({ notes, method, path, noun, name }: Route): Json {
  const parameters = [...pathParameters(path), ...queryParameters(notes.query), ...headerParameters(notes.headers)];
  return {
    tags: [noun],
    operationId: `${noun}.${name}`,
    summary: notes.summary,
    ...(notes.deprecated ? { deprecated: true } : {}),
    ...commandOf(`${method} ${path}`),
    ...(notes.public ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(notes.body
      ? { requestBody: { required: !notes.bodyOptional, content: json(jsonSchemaOf(notes.body, 'input')) } }
      : {}),
    responses: joined(answers(notes), refusals(problemsOf(notes))),
  };
}

/** The command that a token needs for it. */
function commandOf(route: string): Json {
  const rule = TOKEN_ROUTES[route];
  return rule && 'command' in rule ? { 'x-command': rule.command } : {};
}

type Response = { description: string; content?: Json };

/** A status that is an answer of the route's own may be a refusal, too: it has both, by the type of its content. */
function joined(answers: Record<string, Response>, refusals: Record<string, Response>): Json {
  const shared = Object.entries(refusals).flatMap(([status, refusal]) => {
    const content = { ...answers[status]?.content, ...refusal.content };
    return status in answers ? [[status, { ...refusal, content }] as const] : [];
  });
  return { ...answers, ...refusals, ...Object.fromEntries(shared) };
}

function answers(notes: Route['notes']): Record<string, Response> {
  const status = String(notes.status ?? 200);
  const content = notes.answer ? json(jsonSchemaOf(notes.answer, 'output')) : {};
  const other = notes.media ? { [notes.media]: { schema: { type: 'string' } } } : {};
  const body = { ...content, ...other };
  const main = {
    description: notes.answer || notes.media ? 'Done.' : 'Done; no body.',
    ...(Object.keys(body).length > 0 ? { content: body } : {}),
  };
  const also = notes.alsoAnswers;
  return {
    [status]: main,
    ...(also
      ? { [String(also.status)]: { description: 'Done.', content: json(jsonSchemaOf(also.answer, 'output')) } }
      : {}),
  };
}

function refusals(codes: readonly ProblemCode[]): Record<string, Response> {
  const byStatus = new Map<number, Set<ProblemCode>>();
  for (const code of codes) {
    const status = PROBLEM_STATUS[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set<ProblemCode>()).add(code));
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, named]) => [
      String(status),
      {
        description: [...named].sort().join(', '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function json(schema: JsonSchema): Json {
  return { 'application/json': { schema } };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject | undefined): Json[] {
  if (!query) return [];
  const schema = jsonSchemaOf(query, 'input');
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, value]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: value,
  }));
}

function headerParameters(headers: Record<string, string> | undefined): Json[] {
  return Object.entries(headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}
