import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  createPersonaSchema,
  listTeamPersonasQuerySchema,
  pageSchema,
  personaDetailSchema,
  personaVersionSchema,
  teamPersonaSchema,
  updatePersonaSchema,
  type CreatePersona,
  type Page,
  type PersonaDetail,
  type PersonaVersion,
  type TeamPersona,
  type UpdatePersona,
} from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { TeamPersonasService } from './team-personas.service';

@Controller('v1/personas')
export class TeamPersonasController {
  constructor(private readonly personas: TeamPersonasService) {}

  @Get()
  @Answers(200, pageSchema(teamPersonaSchema), 'List the team’s personas', { problems: ['NOT_FOUND'] })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(listTeamPersonasQuerySchema) query: z.infer<typeof listTeamPersonasQuerySchema>,
  ): Promise<Page<TeamPersona>> {
    return this.personas.list(who, query.teamId);
  }

  @Post()
  @Answers(201, teamPersonaSchema, 'Create a persona of the team', {
    problems: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  create(@CurrentUser() who: Principal, @JsonBody(createPersonaSchema) body: CreatePersona): Promise<TeamPersona> {
    return this.personas.create(who, body);
  }

  @Get('built-in')
  @Answers(200, pageSchema(personaDetailSchema), 'List the personas that are built in, with their texts', {
    problems: ['NOT_FOUND'],
  })
  listBuiltIn(
    @CurrentUser() who: Principal,
    @QueryOf(listTeamPersonasQuerySchema) query: z.infer<typeof listTeamPersonasQuerySchema>,
  ): Promise<Page<PersonaDetail>> {
    return this.personas.listBuiltIn(who, query.teamId);
  }

  @Get(':personaId')
  @Answers(200, teamPersonaSchema, 'Get a persona of a team, a deleted one too', { problems: ['PERSONA_NOT_FOUND'] })
  get(@CurrentUser() who: Principal, @Param('personaId') personaId: string): Promise<TeamPersona> {
    return this.personas.get(who, personaId);
  }

  @Patch(':personaId')
  @Answers(200, teamPersonaSchema, 'Save a new version of a persona, after the one that the editor began from', {
    problems: ['PERSONA_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  update(
    @CurrentUser() who: Principal,
    @Param('personaId') personaId: string,
    @JsonBody(updatePersonaSchema) body: UpdatePersona,
  ): Promise<TeamPersona> {
    return this.personas.update(who, personaId, body);
  }

  @Delete(':personaId')
  @Answers(204, null, 'Delete a persona; its versions stay readable', {
    problems: ['PERSONA_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  delete(@CurrentUser() who: Principal, @Param('personaId') personaId: string): Promise<void> {
    return this.personas.delete(who, personaId);
  }

  @Get(':personaId/versions')
  @Answers(200, pageSchema(personaVersionSchema), 'List all versions of a persona, newest first', {
    problems: ['PERSONA_NOT_FOUND'],
  })
  versions(@CurrentUser() who: Principal, @Param('personaId') personaId: string): Promise<Page<PersonaVersion>> {
    return this.personas.versions(who, personaId);
  }
}
