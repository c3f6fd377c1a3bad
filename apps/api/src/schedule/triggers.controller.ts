import { Controller, Param, Post, Req } from '@nestjs/common';
import { triggerReceiptSchema, type TriggerReceipt } from '@chirality/contracts';
import type { Request } from 'express';
import { Answers, Public } from '../core/http/route-notes';
import { TriggersService } from './triggers.service';

@Controller('v1/triggers')
export class TriggersController {
  constructor(private readonly triggers: TriggersService) {}

  @Public()
  @Post(':scheduleId')
  @Answers(202, triggerReceiptSchema, 'Start a schedule by a request that is signed as Standard Webhooks says', {
    problems: ['NOT_FOUND', 'UNAUTHENTICATED', 'CONFLICT', 'MESSAGE_TOO_LARGE', 'RATE_LIMITED'],
    headers: {
      'webhook-id': 'Names the request: one that comes again starts nothing',
      'webhook-timestamp': 'Seconds since 1970, of the last five minutes',
      'webhook-signature': 'v1, and the HMAC-SHA-256 of id, timestamp and body, joined by dots, in base 64',
    },
  })
  take(@Param('scheduleId') id: string, @Req() request: Request): Promise<TriggerReceipt> {
    return this.triggers.take(id, request);
  }
}
