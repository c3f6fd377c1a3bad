import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { MailModule } from '../core/mail.module';
import { AttemptGuard } from './attempt-guard';
import { AuthController } from './auth.controller';
import { LocalStrategy } from './local.strategy';
import { LoginAttempts } from './login-attempts';
import { PasswordService } from './password.service';
import { RefreshCookie } from './refresh-cookie';
import { ResetLinks } from './reset-links';
import { SignInService } from './sign-in.service';

@Module({
  imports: [AccessModule, AuditModule, MailModule],
  controllers: [AuthController],
  providers: [AttemptGuard, LocalStrategy, LoginAttempts, PasswordService, RefreshCookie, ResetLinks, SignInService],
  exports: [AttemptGuard, RefreshCookie, ResetLinks, SignInService],
})
export class AuthModule {}
