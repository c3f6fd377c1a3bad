import { Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { memberSchema, pageSchema, updateMemberSchema, type Member, type Page } from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../auth/principal';
import { Who } from '../auth/who.decorator';
import { Answers } from '../http/route-notes';
import { JsonBody } from '../http/validate';
import { MembersService } from './members.service';

@Controller('v1/teams/:teamId/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @Answers(200, pageSchema(memberSchema), 'Who is in the team', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  list(@Who() who: Principal, @Param('teamId') teamId: string): Promise<Page<Member>> {
    return this.members.list(who, teamId);
  }

  @Get(':userId')
  @Answers(200, memberSchema, 'One member', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  get(@Who() who: Principal, @Param('teamId') teamId: string, @Param('userId') userId: string): Promise<Member> {
    return this.members.get(who, teamId, userId);
  }

  @Patch(':userId')
  @Answers(200, memberSchema, 'Changes a member’s role, at once', { problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] })
  update(
    @Who() who: Principal,
    @Param('teamId') teamId: string,
    @Param('userId') userId: string,
    @JsonBody(updateMemberSchema) body: z.infer<typeof updateMemberSchema>,
  ): Promise<Member> {
    return this.members.setRole(who, teamId, userId, body.role);
  }

  @Delete(':userId')
  @Answers(204, null, 'Removes a member, or leaves the team; open connections end at once', { problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] })
  remove(@Who() who: Principal, @Param('teamId') teamId: string, @Param('userId') userId: string): Promise<void> {
    return this.members.remove(who, teamId, userId);
  }
}
