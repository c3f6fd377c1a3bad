import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import {
  acceptInvitationSchema,
  createInvitationResponseSchema,
  createInvitationSchema,
  invitationPreviewSchema,
  invitationSchema,
  invitationTokenSchema,
  loginResponseSchema,
  pageSchema,
  type CreatedInvitation,
  type Invitation,
  type InvitationPreview,
  type LoginResponse,
  type Page,
} from '@chirality/contracts';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { RefreshCookie } from '../auth/refresh-cookie';
import { Answers, Public } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { InvitationJoiningService } from './invitation-joining.service';
import { InvitationsService } from './invitations.service';

@Controller('v1')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly joining: InvitationJoiningService,
    private readonly cookie: RefreshCookie,
  ) {}

  @Get('teams/:teamId/invitations')
  @Answers(200, pageSchema(invitationSchema), 'List invitations of a team', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  list(@CurrentUser() who: Principal, @Param('teamId') teamId: string): Promise<Page<Invitation>> {
    return this.invitations.list(who, teamId);
  }

  @Post('teams/:teamId/invitations')
  @Answers(201, createInvitationResponseSchema, 'Create an invitation link, shown only once', {
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  create(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @JsonBody(createInvitationSchema) body: z.infer<typeof createInvitationSchema>,
  ): Promise<CreatedInvitation> {
    return this.invitations.create(who, teamId, body);
  }

  @Post('teams/:teamId/invitations/:invitationId/link')
  @Answers(
    201,
    createInvitationResponseSchema,
    'Create a new link for an invitation, shown only once; the earlier one no longer works',
    { problems: ['NOT_FOUND', 'FORBIDDEN'] },
  )
  renew(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @Param('invitationId') invitationId: string,
  ): Promise<CreatedInvitation> {
    return this.invitations.renew(who, teamId, invitationId);
  }

  @Delete('teams/:teamId/invitations/:invitationId')
  @Answers(204, null, 'Revoke an invitation', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  revoke(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @Param('invitationId') invitationId: string,
  ): Promise<void> {
    return this.invitations.revoke(who, teamId, invitationId);
  }

  @Public()
  @Post('invitations/preview')
  @Answers(200, invitationPreviewSchema, 'Preview an invitation link without using it', {
    problems: ['NOT_FOUND', 'RATE_LIMITED'],
  })
  preview(
    @JsonBody(invitationTokenSchema) { token }: z.infer<typeof invitationTokenSchema>,
    @Req() request: Request,
  ): Promise<InvitationPreview> {
    return this.joining.preview(token, request.ip);
  }

  @Post('invitations/join')
  @Answers(204, null, 'Accept an invitation as the signed-in user, whose address must be the invited one', {
    problems: ['NOT_FOUND', 'CONFLICT'],
  })
  join(
    @CurrentUser() who: Principal,
    @JsonBody(invitationTokenSchema) { token }: z.infer<typeof invitationTokenSchema>,
  ): Promise<void> {
    return this.joining.join(who, token);
  }

  @Public()
  @Post('invitations/:token/accept')
  @Answers(
    200,
    loginResponseSchema,
    'Accept an invitation; creates the account, or proves the one that the address has',
    {
      problems: ['NOT_FOUND', 'UNAUTHENTICATED', 'CONFLICT', 'RATE_LIMITED'],
    },
  )
  async accept(
    @Param('token') token: string,
    @JsonBody(acceptInvitationSchema) body: z.infer<typeof acceptInvitationSchema>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    return this.cookie.set(response, await this.joining.accept(token, body, this.cookie.clientOf(request)));
  }
}
