import * as contracts from '@chirality/contracts';
import { z } from 'zod';

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  format?: string;
  [keyword: string]: unknown;
};

/** Contracts that deserve a name; everything else is written where it is used. */
const NAMED = {
  Session: contracts.sessionSchema,
  Turn: contracts.turnSchema,
  Options: contracts.optionsSchema,
  OptionLimits: contracts.optionLimitsSchema,
  OptionLimit: contracts.optionLimitSchema,
  ResolvedOptions: contracts.resolvedOptionsSchema,
  Timings: contracts.timingsSchema,
  TurnError: contracts.turnErrorSchema,
  TokenUsage: contracts.tokenUsageSchema,
  Envelope: contracts.envelopeSchema,
  Originator: contracts.originatorSchema,
  Problem: contracts.problemSchema,
  User: contracts.userSchema,
  Team: contracts.teamSchema,
  Member: contracts.memberSchema,
  Invitation: contracts.invitationSchema,
  Project: contracts.projectSchema,
  ProjectSource: contracts.projectSourceSchema,
  Persona: contracts.personaSchema,
  PersonaDetail: contracts.personaDetailSchema,
  PersonaProblem: contracts.personaProblemSchema,
  PersonaNarrowing: contracts.personaNarrowingSchema,
  PersonaVersion: contracts.personaVersionSchema,
  ResolvedPersona: contracts.resolvedPersonaSchema,
  TeamPersona: contracts.teamPersonaSchema,
  AssembledPrompt: contracts.assembledPromptSchema,
  Permission: contracts.permissionSchema,
  SessionRule: contracts.sessionRuleSchema,
  ProjectRule: contracts.projectRuleSchema,
  FileEntry: contracts.fileEntrySchema,
  FileContent: contracts.fileContentSchema,
  WorkspaceDiff: contracts.diffSchema,
  Worker: contracts.workerSchema,
  QueueState: contracts.queueSchema,
  UsageReport: contracts.usageReportSchema,
  Price: contracts.priceSchema,
  AuditEntry: contracts.auditEntrySchema,
  Readiness: contracts.readinessSchema,
  Instance: contracts.instanceSchema,
} satisfies Record<string, z.ZodType>;

export type NamedContract = keyof typeof NAMED;

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });

const COMPONENTS = '#/components/schemas/';

/** The JSON Schema of a contract, as it is sent (`output`) or accepted (`input`); named parts become references. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, $defs: _parts, ...converted } = convert(schema, io);
  return rewriteReferences(converted as JsonSchema);
}

/** All named contracts as OpenAPI components. */
export function namedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, namedSchema(name, schema)]));
}

function namedSchema(name: string, schema: z.ZodType): JsonSchema {
  const converted = convert(schema, 'output') as JsonSchema & { $defs?: Record<string, JsonSchema> };
  const { $schema: _dialect, $defs, id: _id, ...body } = converted;
  return rewriteReferences($defs?.[name] ?? body);
}

function convert(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  return z.toJSONSchema(schema, { io, metadata: registry, unrepresentable: 'any', target: 'draft-2020-12' });
}

function rewriteReferences<T>(node: T): T {
  if (Array.isArray(node)) return node.map(rewriteReferences) as T;
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node)
    .filter(([key, value]) => !(key === 'id' && typeof value === 'string' && value in NAMED))
    .map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', COMPONENTS) : rewriteReferences(value),
    ]);
  return Object.fromEntries(entries) as T;
}

/** A type as the protocol page writes it: `string | null`, `'a' | 'b'`, `{ id: string, note?: string }`. */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.slice(COMPONENTS.length);
  if ('const' in schema) return quoted(schema.const);
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(' | ');
  if (schema.type === 'array') return arrayText(schema.items ?? {});
  if (schema.type === 'object') return objectText(schema);
  if (schema.format === 'date-time') return 'time';
  if (schema.type === undefined) return 'any';
  return Array.isArray(schema.type) ? schema.type.join(' | ') : schema.type;
}

function arrayText(items: JsonSchema): string {
  const text = typeText(items);
  return text.includes(' | ') ? `(${text})[]` : `${text}[]`;
}

function objectText(schema: JsonSchema): string {
  if (!schema.properties)
    return `{ [key]: ${typeof schema.additionalProperties === 'object' ? typeText(schema.additionalProperties) : 'any'} }`;
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties).map(
    ([key, value]) => `${key}${required.has(key) ? '' : '?'}: ${typeText(value)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
