import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { isTokenValue } from '@chirality/domain';
import { AttemptCounter } from '@chirality/messaging';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { countHttpRequest } from '../core/request-rate';
import { requestContext } from '../core/http/request-context';
import { PUBLIC_ROUTE, routeNotes } from '../core/http/route-notes';
import { problems } from '../core/problem/problems';
import { bearerToken, reasonOf } from './access-tokens';
import { clientIdOf } from '../core/http/client-id';
import { IdentityService } from './identity.service';
import { refuseUntilPasswordIsOwn, type Principal } from './principal';
import { requireTokenScope } from './token-routes';

/** Every route asks for an access token unless it says that it is open. Sockets prove theirs when they connect. */
@Injectable()
export class AuthenticateGuard extends AuthGuard('jwt') {
  constructor(
    private readonly reflector: Reflector,
    private readonly identity: IdentityService,
    private readonly counter: AttemptCounter,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> | Observable<boolean> {
    if (context.getType() !== 'http') return true;
    if (this.reflector.get<boolean>(PUBLIC_ROUTE, context.getHandler()) === true) return true;
    const token = bearerToken(context.switchToHttp().getRequest<Request>().headers.authorization);
    return token !== undefined && isTokenValue(token) ? this.admitToken(token, context) : super.canActivate(context);
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

  /** A token of a program: who it speaks for, how often it asks, and whether it may ask for this. */
  private async admitToken(value: string, context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Principal }>();
    const who = await this.identity.ofToken(value, clientIdOf(request));
    await countHttpRequest(this.counter, who.familyId, http.getResponse<Response>());
    request.user = this.handleRequest<Principal>(null, who, undefined, context);
    requireTokenScope(who, request);
    return true;
  }
}
