import type { Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import type { Config } from '@chirality/platform';
import { AccessTokens, accessTokenOptions } from './access-tokens';
import { AttemptGuard } from './attempt-guard';
import { AuthenticateGuard } from './authenticate.guard';
import { IdentityService } from './identity.service';
import { JwtStrategy } from './jwt.strategy';
import { LoginAttempts } from './login-attempts';
import { LocalStrategy } from './local.strategy';
import { PasswordService } from './password.service';
import { ResetLinks } from './reset-links';
import { RefreshCookie } from './refresh-cookie';
import { SignInService } from './sign-in.service';

export function authProviders(config: Config, accessTokenMs?: number): Provider[] {
  return [
    { provide: AccessTokens, useValue: new AccessTokens(new JwtService(accessTokenOptions(config)), accessTokenMs) },
    { provide: APP_GUARD, useClass: AuthenticateGuard },
    AttemptGuard,
    IdentityService,
    JwtStrategy,
    LocalStrategy,
    LoginAttempts,
    PasswordService,
    RefreshCookie,
    ResetLinks,
    SignInService,
  ];
}
