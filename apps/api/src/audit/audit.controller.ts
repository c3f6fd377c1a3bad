import { Controller, Get } from '@nestjs/common';
import { auditEntrySchema, pageQuerySchema, pageSchema, type AuditEntry, type Page } from '@chirality/contracts';
import { z } from 'zod';
import type { Principal } from '../auth/principal';
import { Who } from '../auth/who.decorator';
import { Answers } from '../http/route-notes';
import { QueryOf } from '../http/validate';
import { AuditService } from './audit.service';

const auditQuerySchema = pageQuerySchema.extend({ teamId: z.string().optional(), projectId: z.string().optional() });

@Controller('v1/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Answers(200, pageSchema(auditEntrySchema), 'Who changed what, latest first; with `projectId` what concerns that project', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  list(@Who() who: Principal, @QueryOf(auditQuerySchema) query: z.infer<typeof auditQuerySchema>): Promise<Page<AuditEntry>> {
    return this.audit.list(who, query);
  }
}
