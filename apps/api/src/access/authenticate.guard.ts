import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { requestContext } from '../core/http/request-context';
import { PUBLIC_ROUTE, routeNotes } from '../core/http/route-notes';
import { problems } from '../core/problem/problems';
import { reasonOf } from './access-tokens';
import { refuseUntilPasswordIsOwn } from './own-password';
import type { Principal } from './principal';

/** Every route asks for an access token unless it says that it is open. Sockets prove theirs when they connect. */
@Injectable()
export class AuthenticateGuard extends AuthGuard('jwt') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> | Observable<boolean> {
    if (context.getType() !== 'http') return true;
    return this.reflector.get<boolean>(PUBLIC_ROUTE, context.getHandler()) === true ? true : super.canActivate(context);
  }

  override handleRequest<T = Principal>(
    error: Error | null,
    principal: Principal | false,
    info: unknown,
    context: ExecutionContext,
  ): T {
    if (error) throw error;
    if (!principal)
      throw problems.unauthenticated(
        info instanceof Error && info.message !== 'No auth token' ? reasonOf(info) : undefined,
      );
    if (!routeNotes(context.getHandler()).beforePasswordChange) refuseUntilPasswordIsOwn(principal);
    requestContext(context.switchToHttp().getRequest<Request>()).userId = principal.user.id;
    return principal as T;
  }
}
