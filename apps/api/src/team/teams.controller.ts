import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import {
  createTeamSchema,
  pageSchema,
  teamSchema,
  updateTeamSchema,
  type Page,
  type Team,
  type UpdateTeam,
} from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { TeamsService } from './teams.service';

@Controller('v1/teams')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @Get()
  @Answers(200, pageSchema(teamSchema), 'List my teams')
  list(@CurrentUser() who: Principal): Promise<Page<Team>> {
    return this.teams.list(who);
  }

  @Post()
  @Answers(201, teamSchema, 'Create a team, with me as its owner')
  create(
    @CurrentUser() who: Principal,
    @JsonBody(createTeamSchema) body: z.infer<typeof createTeamSchema>,
  ): Promise<Team> {
    return this.teams.create(who, body);
  }

  @Get(':teamId')
  @Answers(200, teamSchema, 'Get a team', { problems: ['NOT_FOUND'] })
  get(@CurrentUser() who: Principal, @Param('teamId') teamId: string): Promise<Team> {
    return this.teams.get(who, teamId);
  }

  @Patch(':teamId')
  @Answers(200, teamSchema, 'Update a team’s name, time zone, default options or limits', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  update(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @JsonBody(updateTeamSchema) body: UpdateTeam,
  ): Promise<Team> {
    return this.teams.update(who, teamId, body);
  }
}
