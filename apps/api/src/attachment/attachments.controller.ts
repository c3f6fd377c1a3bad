import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { attachmentQuerySchema, attachmentSchema, type Attachment } from '@chirality/contracts';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';
import { AttachmentsService } from './attachments.service';

@Controller('v1/sessions/:sessionId/attachments')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  @Post()
  @Answers(
    201,
    attachmentSchema,
    'Upload a file (its bytes are the body, of any type) for a message of mine; until it is sent only I see it',
    {
      problems: [
        'SESSION_NOT_FOUND',
        'FORBIDDEN',
        'CONFLICT',
        'ATTACHMENT_TOO_LARGE',
        'ATTACHMENT_UNSUPPORTED',
        'WORKSPACE_UNAVAILABLE',
      ],
    },
  )
  take(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(attachmentQuerySchema) { name }: z.infer<typeof attachmentQuerySchema>,
    @Req() request: Request,
  ): Promise<Attachment> {
    return this.attachments.take(who, sessionId, name, request);
  }

  @Get(':attachmentId')
  @Answers(200, null, 'Download an attachment', {
    media: 'application/octet-stream',
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND'],
  })
  download(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('attachmentId') attachmentId: string,
    @Res() response: Response,
  ): Promise<void> {
    return this.attachments.send(who, sessionId, attachmentId, response);
  }

  @Delete(':attachmentId')
  @Answers(204, null, 'Remove an attachment of mine that was not sent', {
    problems: ['SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  remove(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @Param('attachmentId') attachmentId: string,
  ): Promise<void> {
    return this.attachments.remove(who, sessionId, attachmentId);
  }
}
