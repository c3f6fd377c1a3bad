import { Controller, Post, Req, Res } from '@nestjs/common';
import {
  answerDeviceRequestSchema,
  createdTokenSchema,
  deviceCodeSchema,
  deviceRequestSchema,
  findDeviceRequestSchema,
  redeemDeviceCodeSchema,
  requestDeviceCodeSchema,
  type AnswerDeviceRequest,
  type CreatedToken,
  type DeviceCode,
  type DeviceRequest,
} from '@chirality/contracts';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { clientOf } from '../auth/client';
import { Answers, Public } from '../core/http/route-notes';
import { JsonBody } from '../core/http/validate';
import { DeviceCodesService } from './device-codes.service';

@Controller('v1/auth/device')
export class DeviceCodesController {
  constructor(private readonly codes: DeviceCodesService) {}

  @Public()
  @Post()
  @Answers(200, deviceCodeSchema, 'Start signing in a program: a code for it, and one that a person types', {
    problems: ['RATE_LIMITED', 'CONFLICT'],
  })
  start(
    @JsonBody(requestDeviceCodeSchema, { optional: true }) body: z.infer<typeof requestDeviceCodeSchema>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeviceCode> {
    response.setHeader('cache-control', 'no-store');
    return this.codes.start(body, clientOf(request, null));
  }

  @Public()
  @Post('token')
  @Answers(200, createdTokenSchema, 'Get the token of a code that a person allowed, once', {
    problems: ['DEVICE_CODE_PENDING', 'DEVICE_CODE_EXPIRED', 'FORBIDDEN', 'RATE_LIMITED'],
  })
  redeem(
    @JsonBody(redeemDeviceCodeSchema) { deviceCode }: z.infer<typeof redeemDeviceCodeSchema>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CreatedToken> {
    response.setHeader('cache-control', 'no-store');
    return this.codes.redeem(deviceCode, clientOf(request, null));
  }

  @Post('request')
  @Answers(200, deviceRequestSchema, 'Get who asks with a code that a person typed', {
    problems: ['DEVICE_CODE_EXPIRED', 'RATE_LIMITED'],
  })
  find(
    @CurrentUser() who: Principal,
    @JsonBody(findDeviceRequestSchema) { userCode }: z.infer<typeof findDeviceRequestSchema>,
  ): Promise<DeviceRequest> {
    return this.codes.find(who, userCode);
  }

  @Post('answer')
  @Answers(204, null, 'Allow or deny a program that asks to be signed in as you', {
    problems: ['DEVICE_CODE_EXPIRED', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  })
  answer(@CurrentUser() who: Principal, @JsonBody(answerDeviceRequestSchema) body: AnswerDeviceRequest): Promise<void> {
    return this.codes.answer(who, body);
  }
}
