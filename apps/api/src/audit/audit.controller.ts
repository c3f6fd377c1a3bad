import { Controller, Get, Res } from '@nestjs/common';
import {
  auditEntrySchema,
  auditExportQuerySchema,
  auditQuerySchema,
  pageSchema,
  type AuditEntry,
  type Page,
} from '@chirality/contracts';
import type { Response } from 'express';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';
import { sendAuditExport } from './audit-export';
import { AuditService } from './audit.service';

@Controller('v1/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Answers(
    200,
    pageSchema(auditEntrySchema),
    'List audit entries, latest first; filter by project, person, action and time',
    {
      problems: ['NOT_FOUND', 'FORBIDDEN'],
    },
  )
  list(
    @CurrentUser() who: Principal,
    @QueryOf(auditQuerySchema) query: z.infer<typeof auditQuerySchema>,
  ): Promise<Page<AuditEntry>> {
    return this.audit.list(who, query);
  }

  @Get('export')
  @Answers(200, z.array(auditEntrySchema), 'Export audit entries without pages, as a CSV or JSON file', {
    media: 'text/csv',
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  async export(
    @CurrentUser() who: Principal,
    @QueryOf(auditExportQuerySchema) query: z.infer<typeof auditExportQuerySchema>,
    @Res() response: Response,
  ): Promise<void> {
    await sendAuditExport(response, query.format, await this.audit.export(who, query));
  }
}
