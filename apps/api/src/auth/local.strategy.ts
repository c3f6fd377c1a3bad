import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-local';
import { RefreshCookie } from './refresh-cookie';
import { SignInService, type ProvenUser } from './sign-in.service';

export type SignedInUser = ProvenUser;

@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  constructor(
    private readonly signIn: SignInService,
    private readonly cookie: RefreshCookie,
  ) {
    super({ usernameField: 'email', passwordField: 'password', passReqToCallback: true, session: false });
  }

  validate(request: Request, email: string, password: string): Promise<SignedInUser> {
    return this.signIn.prove(email, password, this.cookie.clientOf(request));
  }
}
