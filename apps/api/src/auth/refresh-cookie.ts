import { Inject, Injectable } from '@nestjs/common';
import type { LoginResponse } from '@chirality/contracts';
import type { Config } from '@chirality/platform';
import type { CookieOptions, Request, Response } from 'express';
import { CONFIG } from '../server/tokens';
import type { SignIn } from './sign-in.service';

const NAME = 'chirality_refresh';

/** The refresh token's only way: a cookie that no script reads, that other sites do not cause to be sent, for the auth routes alone. */
@Injectable()
export class RefreshCookie {
  private readonly options: CookieOptions;

  constructor(@Inject(CONFIG) config: Config) {
    this.options = { httpOnly: true, sameSite: 'strict', path: '/v1/auth', secure: config.publicUrl.startsWith('https:') };
  }

  /** Puts the refresh token into the cookie and answers what goes into the body. */
  set(response: Response, signIn: SignIn): LoginResponse {
    response.cookie(NAME, signIn.refreshToken, { ...this.options, expires: signIn.refreshExpiresAt });
    response.setHeader('cache-control', 'no-store');
    return signIn.answer;
  }

  read(request: Request): string | null {
    const value: unknown = (request.cookies as Record<string, unknown> | undefined)?.[NAME];
    return typeof value === 'string' ? value : null;
  }

  clear(response: Response): void {
    response.clearCookie(NAME, this.options);
  }
}
