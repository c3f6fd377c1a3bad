import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  pageQuerySchema,
  pageSchema,
  permissionDecisionSchema,
  permissionSchema,
  projectRuleSchema,
  sessionRuleSchema,
  type Page,
  type Permission,
  type PermissionDecision,
  type ProjectRule,
  type SessionRule,
} from '@chirality/contracts';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { PermissionsService } from './permissions.service';
import { RulesService } from './rules.service';

const listQuerySchema = pageQuerySchema.extend({
  status: z.enum(['pending', 'resolved']).optional(),
  limit: pageQuerySchema.shape.limit.default(200),
});

@Controller('v1/sessions/:sessionId')
export class PermissionsController {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly rules: RulesService,
  ) {}

  @Get('permissions')
  @Answers(200, pageSchema(permissionSchema), 'List permission requests of a session, latest first', {
    problems: ['SESSION_NOT_FOUND'],
  })
  list(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(listQuerySchema) query: z.infer<typeof listQuerySchema>,
  ): Promise<Page<Permission>> {
    return this.permissions.list(who, sessionId, query);
  }

  @Post('permissions/:permissionId')
  @Answers(200, permissionSchema, 'Answer a permission request; the first answer counts', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'PERMISSION_RESOLVED', 'AGENT_MAY_NOT_APPROVE'],
  })
  answer(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('permissionId') permissionId: string,
    @JsonBody(permissionDecisionSchema, { takesNul: true }) body: PermissionDecision,
  ): Promise<Permission> {
    return this.permissions.answer(who, sessionId, permissionId, body);
  }

  @Get('rules')
  @Answers(200, pageSchema(sessionRuleSchema), 'List what was allowed for the whole session', {
    problems: ['SESSION_NOT_FOUND'],
  })
  listRules(@CurrentUser() who: Principal, @Param('sessionId') sessionId: string): Promise<Page<SessionRule>> {
    return this.rules.list(who, sessionId);
  }

  @Delete('rules/:ruleId')
  @Answers(204, null, 'Revoke a rule of the session', { problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'] })
  removeRule(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<void> {
    return this.rules.remove(who, sessionId, ruleId);
  }

  @Post('rules/:ruleId/promote')
  @Answers(200, projectRuleSchema, 'Promote a session’s rule to the whole project; for its team’s owners and admins', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN'],
  })
  promoteRule(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<ProjectRule> {
    return this.rules.promote(who, sessionId, ruleId);
  }
}
