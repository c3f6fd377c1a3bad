import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  approvePersonaSchema,
  personaDetailSchema,
  personaListSchema,
  type PersonaDetail,
  type PersonaList,
} from '@chirality/contracts';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { PersonasService } from './personas.service';

@Controller('v1/projects/:projectId/personas')
export class PersonasController {
  constructor(private readonly personas: PersonasService) {}

  @Get()
  @Answers(
    200,
    personaListSchema,
    'List personas of the project, the team and the installation, and which of them a session may use',
    { problems: ['PROJECT_NOT_FOUND'] },
  )
  list(@CurrentUser() who: Principal, @Param('projectId') projectId: string): Promise<PersonaList> {
    return this.personas.list(who, projectId);
  }

  @Get(':key')
  @Answers(200, personaDetailSchema, 'Get the persona that a key means in this project, with its text', {
    problems: ['PROJECT_NOT_FOUND', 'PERSONA_NOT_FOUND'],
  })
  get(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('key') key: string,
  ): Promise<PersonaDetail> {
    return this.personas.get(who, projectId, key);
  }

  @Post(':key/approve')
  @Answers(200, personaDetailSchema, 'Approve a persona from the project’s files, for exactly this text', {
    problems: ['PROJECT_NOT_FOUND', 'PERSONA_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  approve(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('key') key: string,
    @JsonBody(approvePersonaSchema) body: z.infer<typeof approvePersonaSchema>,
  ): Promise<PersonaDetail> {
    return this.personas.approve(who, projectId, key, body.contentHash);
  }

  @Delete(':key/approve')
  @Answers(204, null, 'Revoke the approval of a project’s persona', {
    problems: ['PROJECT_NOT_FOUND', 'PERSONA_NOT_FOUND', 'FORBIDDEN'],
  })
  revoke(
    @CurrentUser() who: Principal,
    @Param('projectId') projectId: string,
    @Param('key') key: string,
  ): Promise<void> {
    return this.personas.revoke(who, projectId, key);
  }
}
