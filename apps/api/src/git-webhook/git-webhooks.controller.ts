import { Controller, Param, Post, Req } from '@nestjs/common';
import { gitWebhookReceiptSchema, type GitWebhookReceipt } from '@chirality/contracts';
import type { Request } from 'express';
import { Answers, Public } from '../core/http/route-notes';
import { GitWebhookDeliveriesService } from './git-webhook-deliveries.service';

@Controller('v1/git-webhooks')
export class GitWebhooksController {
  constructor(private readonly deliveries: GitWebhookDeliveriesService) {}

  @Post(':hookId')
  @Public()
  @Answers(
    202,
    gitWebhookReceiptSchema,
    'For git hosts: report that a pull request changed, signed with the webhook’s secret',
    { problems: ['NOT_FOUND', 'UNAUTHENTICATED', 'MESSAGE_TOO_LARGE', 'RATE_LIMITED'] },
  )
  take(@Param('hookId') hookId: string, @Req() request: Request): Promise<GitWebhookReceipt> {
    return this.deliveries.take(hookId, request);
  }
}
