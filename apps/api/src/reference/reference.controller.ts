import { Controller, Get } from '@nestjs/common';
import { handshakeSchema, type Handshake } from '@chirality/contracts';
import { z } from 'zod';
import { Answers, Public } from '../core/http/route-notes';
import { HandshakeService } from './handshake.service';
import { OpenApi } from './open-api';

@Controller('v1')
export class ReferenceController {
  constructor(
    private readonly openApi: OpenApi,
    private readonly handshakes: HandshakeService,
  ) {}

  @Public()
  @Get('openapi.json')
  @Answers(200, z.record(z.string(), z.unknown()), 'Get this OpenAPI description')
  document(): Record<string, unknown> {
    return this.openApi.document;
  }

  @Public()
  @Get('handshake')
  @Answers(
    200,
    handshakeSchema,
    'Get the versions, event kinds, commands, features, limits and harnesses of this server',
  )
  handshake(): Promise<Handshake> {
    return this.handshakes.describe();
  }
}
