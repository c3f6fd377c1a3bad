import type { Provider } from '@nestjs/common';
import { AttemptGuard } from './attempt-guard';
import { LocalStrategy } from './local.strategy';
import { LoginAttempts } from './login-attempts';
import { PasswordService } from './password.service';
import { RefreshCookie } from './refresh-cookie';
import { ResetLinks } from './reset-links';
import { SignInService } from './sign-in.service';

export const authProviders: Provider[] = [
  AttemptGuard,
  LocalStrategy,
  LoginAttempts,
  PasswordService,
  RefreshCookie,
  ResetLinks,
  SignInService,
];
