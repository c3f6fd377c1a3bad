import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { MailModule } from '../core/mail.module';
import { InvitationJoiningService } from './invitation-joining.service';
import { InvitationsController } from './invitations.controller';
import { InvitationsService } from './invitations.service';
import { MemberResetService } from './member-reset.service';
import { MembersController } from './members.controller';
import { MembersService } from './members.service';
import { TeamsController } from './teams.controller';
import { TeamsService } from './teams.service';

@Module({
  imports: [AccessModule, AuditModule, AuthModule, MailModule],
  controllers: [InvitationsController, MembersController, TeamsController],
  providers: [InvitationJoiningService, InvitationsService, MemberResetService, MembersService, TeamsService],
  exports: [MembersService, TeamsService],
})
export class TeamModule {}
