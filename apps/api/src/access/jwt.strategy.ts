import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { CONFIG, type Config } from '@chirality/platform';
import type { Request } from 'express';
import { Strategy } from 'passport-jwt';
import { accessTokenOptions, bearerToken, claimsOf } from './access-tokens';
import { clientIdOf } from '../core/http/client-id';
import { IdentityService } from './identity.service';
import type { Principal } from './principal';

/** Passport's part: the signature. Whether the sign-in behind it still stands is the identity service's. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    @Inject(CONFIG) config: Config,
    private readonly identity: IdentityService,
  ) {
    const { secret, verifyOptions } = accessTokenOptions(config);
    super({
      jwtFromRequest: (request: Request) => bearerToken(request.headers.authorization) ?? null,
      // The library takes key objects; only its types do not know.
      secretOrKey: secret as unknown as Buffer,
      algorithms: [...verifyOptions.algorithms],
      issuer: verifyOptions.issuer,
      audience: verifyOptions.audience,
      passReqToCallback: true,
    });
  }

  validate(request: Request, payload: unknown): Promise<Principal> {
    return this.identity.ofClaims(claimsOf(payload), clientIdOf(request));
  }
}
