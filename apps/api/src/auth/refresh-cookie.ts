import { Inject, Injectable } from '@nestjs/common';
import type { LoginResponse } from '@chirality/contracts';
import { CONFIG, deriveKey, type Config } from '@chirality/platform';
import type { Request, Response } from 'express';
import { basePathOf } from '../core/address/base-path';
import { clientOf, type Client } from './client';
import { HostCookie } from './cookies';
import { deviceMark, deviceOf } from './known-device';
import type { SignIn } from './sign-in.service';

const DEVICE_MARK_MS = 365 * 24 * 3_600_000;

/**
 * The refresh token's only way: a cookie that no script reads, that other sites do not cause to be sent, for the auth
 * routes alone.
 */
@Injectable()
export class RefreshCookie {
  private readonly token: HostCookie;
  private readonly device: HostCookie;
  private readonly deviceKey: Buffer;

  constructor(@Inject(CONFIG) config: Config) {
    const isSecure = config.publicUrl.startsWith('https:');
    const basePath = basePathOf(config);
    this.token = new HostCookie('chirality_refresh', basePath, '/v1/auth', isSecure);
    this.device = new HostCookie('chirality_device', basePath, '/v1', isSecure);
    this.deviceKey = deriveKey(config.secretKey, 'known-device');
  }

  /**
   * Puts the refresh token into the cookie and answers what goes into the body. Marks the browser as one of this
   * person's.
   */
  set(response: Response, signIn: SignIn): LoginResponse {
    this.token.set(response, signIn.refreshToken, signIn.refreshExpiresAt);
    const userId = signIn.answer.user.id;
    if (deviceOf(this.deviceKey, userId, this.device.read(response.req)) === null) {
      this.device.set(response, deviceMark(this.deviceKey, userId), new Date(Date.now() + DEVICE_MARK_MS));
    }
    response.setHeader('cache-control', 'no-store');
    return signIn.answer;
  }

  read(request: Request): string | null {
    return this.token.read(request);
  }

  clientOf(request: Request): Client {
    return clientOf(request, this.device.read(request));
  }

  clear(response: Response): void {
    this.token.clear(response);
  }
}
