import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { TeamModule } from '../team/team.module';
import { SlashCommandsController } from './slash-commands.controller';
import { SlashCommandsService } from './slash-commands.service';

@Module({
  imports: [AccessModule, AuditModule, TeamModule],
  controllers: [SlashCommandsController],
  providers: [SlashCommandsService],
})
export class SlashCommandModule {}
