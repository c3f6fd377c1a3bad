import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { problems } from '../core/problem/problems';
import type { Principal } from './principal';

/** The person who asks. Only behind the authenticating guard. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { user } = context.switchToHttp().getRequest<Request & { user?: Principal }>();
  if (!user) throw problems.unauthenticated();
  return user;
});
