import { Injectable } from '@nestjs/common';
import type { Page, Persona } from '@chirality/contracts';
import type { Principal } from '../auth/principal';
import { wholePage } from '../http/json-page';
import { ProjectsService } from '../project/projects.service';
import { PersonaCatalog } from './persona-catalog';

@Injectable()
export class PersonasService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly catalog: PersonaCatalog,
  ) {}

  async list(who: Principal, projectId: string): Promise<Page<Persona>> {
    await this.projects.find(who, projectId);
    return wholePage(this.catalog.list());
  }
}
