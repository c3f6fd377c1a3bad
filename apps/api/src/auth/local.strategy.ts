import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { User } from '@chirality/contracts';
import type { Request } from 'express';
import { Strategy } from 'passport-local';
import { SignInService } from './sign-in.service';

export type SignedInUser = User;

@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  constructor(private readonly signIn: SignInService) {
    super({ usernameField: 'email', passwordField: 'password', passReqToCallback: true, session: false });
  }

  validate(request: Request, email: string, password: string): Promise<SignedInUser> {
    return this.signIn.prove(email, password, request.ip);
  }
}
