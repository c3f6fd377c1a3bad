import { Controller, Get } from '@nestjs/common';
import { z } from 'zod';
import { Answers, Public } from '../core/http/route-notes';
import { OpenApi } from './open-api';

@Controller('v1')
export class ReferenceController {
  constructor(private readonly openApi: OpenApi) {}

  @Public()
  @Get('openapi.json')
  @Answers(200, z.record(z.string(), z.unknown()), 'Get this OpenAPI description')
  document(): Record<string, unknown> {
    return this.openApi.document;
  }
}
