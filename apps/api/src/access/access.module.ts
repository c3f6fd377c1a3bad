import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { AccessChannel } from '@chirality/messaging';
import { CONFIG, LOG, type Config, type Logger } from '@chirality/platform';
import { rareWarning } from '../core/rare-log';
import { AccessChanges } from './access-changes';
import { AccessTokens, accessTokenOptions } from './access-tokens';
import { AccessWatch } from './access-watch';
import { ApiTokens } from './api-tokens';
import { AuthenticateGuard } from './authenticate.guard';
import { IdentityService } from './identity.service';
import { JwtStrategy } from './jwt.strategy';
import { SessionAccess } from './session-access';

@Module({
  providers: [
    {
      provide: AccessTokens,
      inject: [CONFIG],
      useFactory: (config: Config) =>
        new AccessTokens(new JwtService(accessTokenOptions(config)), config.testLimits['accessTokenMs']),
    },
    {
      provide: AccessWatch,
      inject: [IdentityService, AccessChannel, LOG],
      useFactory: (identity: IdentityService, channel: AccessChannel, log: Logger) => {
        const watch = new AccessWatch(
          (who) => identity.reload(who),
          () => channel.isConnected,
          rareWarning(log, 'access.connections_not_checked'),
        );
        channel.subscribe((change) => void watch.changed(change));
        return watch;
      },
    },
    { provide: APP_GUARD, useClass: AuthenticateGuard },
    AccessChanges,
    ApiTokens,
    IdentityService,
    JwtStrategy,
    SessionAccess,
  ],
  exports: [AccessChanges, AccessTokens, ApiTokens, AccessWatch, IdentityService, SessionAccess],
})
export class AccessModule {}
