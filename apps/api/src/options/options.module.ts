import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { Installation } from '../instance/installation';
import { InstanceModule } from '../instance/instance.module';
import { WorkerModule } from '../worker/worker.module';
import { OptionChain } from './option-chain.service';
import { PersonaCatalog } from './persona-catalog';
import { PersonaResolver } from './persona-resolver';
import { ProjectPersonas } from './project-personas';
import { SessionPersonas } from './session-personas';

@Module({
  imports: [AccessModule, InstanceModule, WorkerModule],
  providers: [
    {
      provide: PersonaCatalog,
      inject: [Installation],
      useFactory: ({ instructions }: Installation) => new PersonaCatalog(join(instructions, 'agents')),
    },
    OptionChain,
    PersonaResolver,
    ProjectPersonas,
    SessionPersonas,
  ],
  exports: [OptionChain, PersonaResolver, SessionPersonas],
})
export class OptionsModule {}
