import { Controller, Get } from '@nestjs/common';
import { ProblemError } from '@chirality/platform';
import { z } from 'zod';
import { Answers, Public } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';

const querySchema = z.object({
  session: z.string().max(100).optional(),
  lastEventId: z.coerce.number().int().nonnegative().optional(),
});

/** The address of the WebSocket, for the reference and for those who ask for it without an upgrade. */
@Controller('v1/ws')
export class WebsocketController {
  @Get()
  @Public()
  @Answers(101, null, 'Open a WebSocket: frames are in docs/protocol.md; with `session` it attaches at once', {
    headers: { 'Sec-WebSocket-Protocol': '`chirality.v1`, from a browser also `chirality.bearer.<token>`.' },
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  })
  open(@QueryOf(querySchema) _query: z.infer<typeof querySchema>): never {
    throw new ProblemError(
      'VALIDATION_FAILED',
      'This address is for WebSockets. Ask for an upgrade, as their clients do.',
    );
  }
}
