import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  belongingsSchema,
  memberSchema,
  pageSchema,
  removeMemberQuerySchema,
  resetLinkSchema,
  updateMemberSchema,
  type Belongings,
  type Member,
  type Page,
  type ResetLink,
} from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { MemberResetService } from './member-reset.service';
import { MembersService } from './members.service';

@Controller('v1/teams/:teamId/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly resets: MemberResetService,
  ) {}

  @Get()
  @Answers(200, pageSchema(memberSchema), 'List members of a team', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  list(@CurrentUser() who: Principal, @Param('teamId') teamId: string): Promise<Page<Member>> {
    return this.members.list(who, teamId);
  }

  @Get(':userId')
  @Answers(200, memberSchema, 'Get a member', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  get(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
  ): Promise<Member> {
    return this.members.get(who, teamId, userId);
  }

  @Patch(':userId')
  @Answers(200, memberSchema, 'Change a member’s role, at once', { problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] })
  update(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
    @JsonBody(updateMemberSchema) body: z.infer<typeof updateMemberSchema>,
  ): Promise<Member> {
    return this.members.setRole(who, teamId, userId, body.role);
  }

  @Get(':userId/belongings')
  @Answers(200, belongingsSchema, 'List what another member would have to take over from a member', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  belongings(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
  ): Promise<Belongings> {
    return this.members.belongings(who, teamId, userId);
  }

  @Post(':userId/password-reset')
  @Answers(201, resetLinkSchema, 'Create a single-use link with which the member sets a new password', {
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  resetPassword(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
  ): Promise<ResetLink> {
    return this.resets.create(who, teamId, userId);
  }

  @Delete(':userId')
  @Answers(
    204,
    null,
    'Remove a member, or leave the team; open connections end at once. Sessions go to `handTo`; without it private ones are archived',
    { problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] },
  )
  remove(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
    @QueryOf(removeMemberQuerySchema) { handTo }: z.infer<typeof removeMemberQuerySchema>,
  ): Promise<void> {
    return this.members.remove(who, teamId, userId, handTo ?? null);
  }
}
