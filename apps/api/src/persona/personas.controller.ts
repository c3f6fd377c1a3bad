import { Controller, Get, Param } from '@nestjs/common';
import { pageSchema, personaSchema, type Page, type Persona } from '@chirality/contracts';
import type { Principal } from '../auth/principal';
import { Who } from '../auth/who.decorator';
import { Answers } from '../http/route-notes';
import { PersonasService } from './personas.service';

@Controller('v1/projects/:projectId/personas')
export class PersonasController {
  constructor(private readonly personas: PersonasService) {}

  @Get()
  @Answers(200, pageSchema(personaSchema), 'Personas that a session of this project may take', { problems: ['PROJECT_NOT_FOUND'] })
  list(@Who() who: Principal, @Param('projectId') projectId: string): Promise<Page<Persona>> {
    return this.personas.list(who, projectId);
  }
}
