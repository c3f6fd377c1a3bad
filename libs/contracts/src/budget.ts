import { z } from 'zod';
import { idSchema } from './id';
import { moneySchema, timestampSchema } from './scalar';

export const budgetScopeSchema = z.enum(['team', 'project', 'session', 'user']);
export type BudgetScope = z.infer<typeof budgetScopeSchema>;
/** Days, weeks (from Monday) and months begin at midnight in the team's time zone. */
export const budgetPeriodSchema = z.enum(['day', 'week', 'month', 'total']);
export type BudgetPeriod = z.infer<typeof budgetPeriodSchema>;
/** A hard one refuses what could pass it; a warning one only notifies. */
export const budgetKindSchema = z.enum(['hard', 'warning']);
export type BudgetKind = z.infer<typeof budgetKindSchema>;

const limitSchema = z.string().regex(/^\d{1,9}(\.\d{1,10})?$/, 'must be a decimal amount of US dollars');

export const budgetSchema = z.object({
  id: idSchema('budget'),
  teamId: idSchema('team'),
  scope: budgetScopeSchema,
  /** The team, project, session or person that it is about, and how that is called. */
  subjectId: z.string(),
  subjectName: z.string(),
  period: budgetPeriodSchema,
  kind: budgetKindSchema,
  limitUsd: moneySchema,
  /** In the present window, without the demo model's. */
  spentUsd: moneySchema,
  percent: z.number().int(),
  /** When the present window began; null for one that has no end. */
  since: timestampSchema.nullable(),
  createdAt: timestampSchema,
});
export type Budget = z.infer<typeof budgetSchema>;

/** `subjectId` is left out where the team itself is meant. */
export const createBudgetSchema = z.strictObject({
  scope: budgetScopeSchema,
  subjectId: z.string().optional(),
  period: budgetPeriodSchema,
  kind: budgetKindSchema.default('hard'),
  limitUsd: limitSchema,
  teamId: z.string().optional(),
});
export type CreateBudget = z.infer<typeof createBudgetSchema>;
export const updateBudgetSchema = z.strictObject({ limitUsd: limitSchema });
export const budgetQuerySchema = z.object({ teamId: z.string().optional() });
