import { createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { loginSchema } from '@chirality/contracts';
import type { Request } from 'express';
import { parseOrRefuse } from '../core/http/validate';
import { problems } from '../core/problem/problems';
import type { SignedInUser } from './local.strategy';

/** E-mail and password of the body, by passport. A body of another form is refused as such before. */
@Injectable()
export class LocalGuard extends AuthGuard('local') {
  override canActivate(context: ExecutionContext) {
    parseOrRefuse(loginSchema, context.switchToHttp().getRequest<Request>().body, 'body');
    return super.canActivate(context);
  }

  override handleRequest<T = SignedInUser>(error: Error | null, user: SignedInUser | false): T {
    if (error) throw error;
    if (!user) throw problems.unauthenticated('E-mail address or password is wrong.');
    return user as T;
  }
}

/** Who has just proven their password. */
export const SignedIn = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request & { user?: SignedInUser }>().user,
);
