import { Inject, Injectable, type CanActivate } from '@nestjs/common';
import { CONFIG, type Config } from '@chirality/platform';
import { noSuchRoute } from '../core/problem/problem-of';

/** Without the routes there is nothing at their addresses. */
@Injectable()
export class HarnessRoutesGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'harnessRoutes'>) {}

  canActivate(): boolean {
    if (!this.config.harnessRoutes) throw noSuchRoute();
    return true;
  }
}
