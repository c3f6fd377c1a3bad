import { Controller, Get, Param, Res } from '@nestjs/common';
import { exportQuerySchema, type ExportFormat } from '@chirality/contracts';
import type { Response } from 'express';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';
import { ExportsService } from './exports.service';

@Controller('v1/sessions/:sessionId/export')
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Get()
  @Answers(
    200,
    null,
    'Download the session: its events as they are, one a line (`jsonl`), or what a person reads of it (`markdown`, `html`)',
    { media: 'application/octet-stream', problems: ['SESSION_NOT_FOUND', 'RATE_LIMITED'] },
  )
  download(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(exportQuerySchema) { format }: { format: ExportFormat },
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.send(who, sessionId, format, response);
  }
}
