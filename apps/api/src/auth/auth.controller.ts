import { Controller, Get, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  authOptionsSchema,
  changePasswordSchema,
  forgotPasswordSchema,
  loginResponseSchema,
  loginSchema,
  resetPasswordSchema,
  type AuthOptions,
  type LoginResponse,
} from '@chirality/contracts';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers, BeforePasswordChange, Public } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { MAILER, type Mailer } from '../core/mailer';
import { LocalGuard, SignedIn } from './local.guard';
import type { SignedInUser } from './local.strategy';
import { PasswordService } from './password.service';
import { RefreshCookie } from './refresh-cookie';
import { SignInService } from './sign-in.service';

@Controller('v1/auth')
export class AuthController {
  constructor(
    private readonly signIn: SignInService,
    private readonly passwords: PasswordService,
    private readonly cookie: RefreshCookie,
    @Inject(MAILER) private readonly mailer: Mailer,
  ) {}

  @Public()
  @Get('options')
  @Answers(200, authOptionsSchema, 'Get what the pages before sign-in need to know')
  options(@Req() request: Request): AuthOptions {
    return { mail: this.mailer.delivers, signedIn: this.signIn.isSignedToken(this.cookie.read(request)) };
  }

  @Public()
  @UseGuards(LocalGuard)
  @Post('login')
  @Answers(200, loginResponseSchema, 'Sign in with e-mail and password; the refresh token is set as a cookie', {
    problems: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  })
  async login(
    @SignedIn() user: SignedInUser,
    @JsonBody(loginSchema) _body: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    return this.cookie.set(response, await this.signIn.begin(user, this.cookie.clientOf(request), 'password'));
  }

  @Public()
  @Post('refresh')
  @Answers(200, loginResponseSchema, 'Get a new access token for the refresh cookie, which is replaced', {
    problems: ['UNAUTHENTICATED'],
  })
  async refresh(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<LoginResponse> {
    return this.cookie.set(
      response,
      await this.signIn.refresh(this.cookie.read(request), this.cookie.clientOf(request)),
    );
  }

  @Public()
  @Post('logout')
  @Answers(204, null, 'Sign out on this device')
  async logout(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    await this.signIn.end(this.cookie.read(request), request.headers.authorization, this.cookie.clientOf(request));
    this.cookie.clear(response);
  }

  @Public()
  @Post('password/forgot')
  @Answers(202, null, 'Send a password reset link, if the account exists', { problems: ['RATE_LIMITED'] })
  forgot(
    @JsonBody(forgotPasswordSchema) body: z.infer<typeof forgotPasswordSchema>,
    @Req() request: Request,
  ): Promise<void> {
    return this.passwords.sendReset(body.email, request.ip);
  }

  @Public()
  @Post('password/reset')
  @Answers(204, null, 'Set a new password with the token of a reset link; ends all sign-ins with the old one', {
    problems: ['FORBIDDEN', 'RATE_LIMITED'],
  })
  reset(
    @JsonBody(resetPasswordSchema) body: z.infer<typeof resetPasswordSchema>,
    @Req() request: Request,
  ): Promise<void> {
    return this.passwords.reset(body.token, body.newPassword, request.ip);
  }

  @BeforePasswordChange()
  @Post('password/change')
  @Answers(200, loginResponseSchema, 'Change the password; ends every other sign-in and gives this device a new one', {
    problems: ['FORBIDDEN', 'RATE_LIMITED'],
  })
  async change(
    @CurrentUser() who: Principal,
    @JsonBody(changePasswordSchema) body: z.infer<typeof changePasswordSchema>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LoginResponse> {
    return this.cookie.set(response, await this.passwords.change(who, body, this.cookie.clientOf(request)));
  }
}
