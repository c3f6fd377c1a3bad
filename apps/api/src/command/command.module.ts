import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { EventModule } from '../event/event.module';
import { PermissionModule } from '../permission/permission.module';
import { SessionModule } from '../session/session.module';
import { TurnModule } from '../turn/turn.module';
import { UsageModule } from '../usage/usage.module';
import { Commands } from './commands';

@Module({
  imports: [AuditModule, EventModule, PermissionModule, SessionModule, TurnModule, UsageModule],
  providers: [Commands],
  exports: [Commands],
})
export class CommandModule {}
