import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { readinessSchema } from '@chirality/contracts';
import { MetricsBoard } from '@chirality/messaging';
import { HealthRegistry, metricsRegistry } from '@chirality/platform';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AccessTokens, bearerToken } from '../access/access-tokens';
import { Answers, Public } from '../core/http/route-notes';
import { problems } from '../core/problem/problems';
import { allMetrics } from './all-metrics';

const aliveSchema = z.object({ status: z.literal('ok') });
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthRegistry,
    private readonly tokens: AccessTokens,
    private readonly board: MetricsBoard,
  ) {}

  @Public()
  @Get('health/live')
  @Answers(200, aliveSchema, 'Check that this process answers')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Public()
  @Get('health/ready')
  @Header('cache-control', 'no-store')
  @Answers(200, readinessSchema, 'Check readiness: what works and what is broken', {
    alsoAnswers: { status: 503, answer: readinessSchema },
  })
  async ready(@Res() response: Response): Promise<void> {
    const readiness = await this.health.readiness();
    response.status(readiness.status === 'unavailable' ? 503 : 200).json(readiness);
  }

  @Public()
  @Get('metrics')
  @Answers(200, null, 'Get Prometheus metrics; for this machine and for signed-in users', {
    media: 'text/plain',
    problems: ['UNAUTHENTICATED'],
  })
  async metrics(@Req() request: Request, @Res() response: Response): Promise<void> {
    const local = LOOPBACK.test(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined;
    if (!local && !this.tokens.isSigned(bearerToken(request.headers.authorization))) throw problems.unauthenticated();
    response.type(metricsRegistry.contentType).send(await allMetrics(this.board));
  }
}
