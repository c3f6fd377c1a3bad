import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { OptionsModule } from '../options/options.module';
import { ProjectModule } from '../project/project.module';
import { PersonasController } from './personas.controller';
import { PersonasService } from './personas.service';
import { TeamPersonasController } from './team-personas.controller';
import { TeamPersonasService } from './team-personas.service';

@Module({
  imports: [AuditModule, OptionsModule, ProjectModule],
  controllers: [PersonasController, TeamPersonasController],
  providers: [PersonasService, TeamPersonasService],
})
export class PersonaModule {}
