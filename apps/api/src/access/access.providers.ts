import type { Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import type { Messaging } from '@chirality/messaging';
import type { Config, Logger } from '@chirality/platform';
import { rareWarning } from '../core/rare-log';
import { AccessChanges } from './access-changes';
import { AccessTokens, accessTokenOptions } from './access-tokens';
import { AccessWatch } from './access-watch';
import { AuthenticateGuard } from './authenticate.guard';
import { IdentityService } from './identity.service';
import { JwtStrategy } from './jwt.strategy';
import { SessionAccess } from './session-access';

type Parts = { config: Config; log: Logger; messaging: Messaging };

export function accessProviders({ config, log, messaging }: Parts, accessTokenMs?: number): Provider[] {
  return [
    { provide: AccessTokens, useValue: new AccessTokens(new JwtService(accessTokenOptions(config)), accessTokenMs) },
    { provide: APP_GUARD, useClass: AuthenticateGuard },
    {
      provide: AccessWatch,
      inject: [IdentityService],
      useFactory: (identity: IdentityService) => {
        const watch = new AccessWatch(
          (who) => identity.reload(who),
          () => messaging.access.isConnected,
          rareWarning(log, 'access.connections_not_checked'),
        );
        messaging.access.subscribe((change) => void watch.changed(change));
        return watch;
      },
    },
    AccessChanges,
    IdentityService,
    JwtStrategy,
    SessionAccess,
  ];
}
