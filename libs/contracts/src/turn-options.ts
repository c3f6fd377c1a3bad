import { z } from 'zod';

export const permissionModeSchema = z.enum(['default', 'acceptEdits', 'dontAsk', 'plan']);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

/** How much the model thinks and writes, least first. Models without levels ignore it. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export const effortSchema = z.enum(EFFORTS);
export type Effort = z.infer<typeof effortSchema>;

/** It becomes a part of a command line, so it must not begin like a flag. */
const toolNameSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\s\0,-][^\s\0,]*$/, 'must be one tool name');

/** The name of a model, or an alias of one, in the characters that such names have. */
export const modelNameSchema = z
  .string()
  .min(1)
  .max(120)
  .regex(/^[A-Za-z0-9][\w.:@/[\]-]*$/, 'must be a model name or alias');

/** Options as a person gives them: each may be left out and is then found further down the chain. */
export const optionsSchema = z
  .strictObject({
    model: modelNameSchema,
    effort: effortSchema,
    maxTurns: z.number().int().min(1).max(1000),
    permissionMode: permissionModeSchema,
    tools: z.union([z.array(toolNameSchema).max(200), z.literal('default')]),
    disallowedTools: z.array(toolNameSchema).max(200),
    autoApproveTools: z.array(z.string().min(1).max(500)).max(200),
    strict: z.boolean(),
    appendPrompt: z.string().max(64_000),
    maxBudgetUsd: z.string().regex(/^\d{1,9}(\.\d{1,10})?$/, 'must be a decimal amount of US dollars'),
    timeoutMs: z
      .number()
      .int()
      .min(1_000)
      .max(24 * 3_600_000),
    context: z.enum(['resume', 'fresh']),
  })
  .partial();
export type Options = z.infer<typeof optionsSchema>;
export type OptionKey = keyof Options;

/** The options that a team and a project can bound. */
export const LIMITED_OPTIONS = ['maxTurns', 'timeoutMs'] as const satisfies readonly OptionKey[];
export type LimitedOption = (typeof LIMITED_OPTIONS)[number];
/** The highest value that each of them may have, whichever level asks; one that is left out is not bounded. */
export const optionLimitsSchema = optionsSchema.pick({ maxTurns: true, timeoutMs: true });
export type OptionLimits = z.infer<typeof optionLimitsSchema>;

/** Where a resolved option came from, nearest first. */
export const OPTION_ORIGINS = ['turn', 'session', 'persona', 'project', 'team', 'built-in'] as const;
export const optionOriginSchema = z.enum(OPTION_ORIGINS);
export type OptionOrigin = z.infer<typeof optionOriginSchema>;

/** A limit and who set it. */
export const optionLimitSchema = z.object({
  value: z.number().int(),
  from: optionOriginSchema.extract(['project', 'team']),
});
export type OptionLimit = z.infer<typeof optionLimitSchema>;

/** `limit`: the limit of this option that holds; `value` is never higher. */
function resolved<T extends z.ZodType>(option: z.ZodOptional<T>) {
  const value = option.unwrap();
  return z.object({ value, from: optionOriginSchema, limit: optionLimitSchema.optional() }).optional();
}

const { shape } = optionsSchema;

export const resolvedOptionsSchema = z.object({
  model: resolved(shape.model),
  effort: resolved(shape.effort),
  maxTurns: resolved(shape.maxTurns),
  permissionMode: resolved(shape.permissionMode),
  // Lists of several levels may add up to more than one of them may have.
  tools: resolved(z.union([z.array(z.string()), z.literal('default')]).optional()),
  disallowedTools: resolved(z.array(z.string()).optional()),
  autoApproveTools: resolved(z.array(z.string()).optional()),
  strict: resolved(shape.strict),
  appendPrompt: resolved(shape.appendPrompt),
  maxBudgetUsd: resolved(shape.maxBudgetUsd),
  timeoutMs: resolved(shape.timeoutMs),
  context: resolved(shape.context),
} satisfies Record<OptionKey, z.ZodType>);
export type ResolvedOptions = {
  [K in OptionKey]?:
    { value: NonNullable<Options[K]>; from: OptionOrigin; limit?: OptionLimit | undefined } | undefined;
};
