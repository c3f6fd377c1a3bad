import { z } from 'zod';
import { idSchema } from './id';
import { pageQuerySchema, timestampSchema } from './scalar';

/** Every act that the audit log knows. A page that shows them has a sentence for each. */
export const AUDIT_ACTIONS = [
  'act:deny',
  'budget:create',
  'budget:limit',
  'budget:remove',
  'git-account:create',
  'git-account:remove',
  'git-account:use',
  'git-host-key:pin',
  'git-host-key:remove',
  'invitation:accept',
  'invitation:create',
  'invitation:link',
  'invitation:revoke',
  'key:remove',
  'key:set',
  'member:leave',
  'member:password-reset',
  'member:remove',
  'member:role',
  'permission:answer',
  'permission:answer-late',
  'persona:approve',
  'persona:create',
  'persona:delete',
  'persona:revoke',
  'persona:update',
  'policy:bypass',
  'price:set',
  'project-rule:add',
  'project-rule:remove',
  'project:archive',
  'project:auto-approve',
  'project:create',
  'project:egress',
  'project:fetch',
  'project:fetch-stop',
  'project:limits',
  'project:member',
  'project:member-remove',
  'project:options',
  'project:push-settings',
  'project:refresh',
  'project:refresh-stop',
  'project:rename',
  'project:restore',
  'project:setup-script',
  'project:strict',
  'project:upload',
  'project:variable',
  'project:variable-remove',
  'project:visibility',
  'rule:promote',
  'rule:remove',
  'session:archive',
  'session:base',
  'session:commit',
  'session:upload',
  'session:create',
  'session:pull-request',
  'session:push',
  'session:restore',
  'session:update',
  'team:create',
  'team:limits',
  'team:update',
  'tool:outcome',
  'turn:boot',
  'turn:compact',
  'turn:interrupt',
  'turn:message',
  'turn:read-prompt',
  'turn:read-raw',
  'turn:read-stderr',
  'user:change-password',
  'user:reset-password',
  'user:sign-in',
  'user:sign-in-block',
  'user:sign-in-fail',
  'user:sign-out',
  'user:token-replay',
  'user:update',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const auditEntrySchema = z.object({
  id: idSchema('audit'),
  at: timestampSchema,
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  action: z.string(),
  object: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** `action`: one of them, or with a star all of a noun (`user:*`). `from` is in it, `to` is not. */
export const auditFilterSchema = z.object({
  teamId: z.string().optional(),
  projectId: z.string().optional(),
  userId: z.string().optional(),
  action: z
    .string()
    .regex(/^[a-z-]+:([a-z-]+|\*)$/, 'is an action such as session:create, or all of a noun such as session:*')
    .optional(),
  from: timestampSchema.optional(),
  to: timestampSchema.optional(),
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

export const auditQuerySchema = pageQuerySchema.extend(auditFilterSchema.shape);
export const auditExportQuerySchema = auditFilterSchema.extend({ format: z.enum(['csv', 'json']).default('csv') });
