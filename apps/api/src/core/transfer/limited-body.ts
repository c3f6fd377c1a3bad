import { Transform, type Readable } from 'node:stream';
import { ProblemError } from '@chirality/platform';
import type { Request } from 'express';

/**
 * The body of a request as it comes, which is not JSON. Passes on no more than `limitBytes`, and ends in an error when
 * there is more, or when the client disconnects before its end; `noun` is what the body is for people.
 */
export function limitedBody(
  request: Request,
  { limitBytes, tooLarge, noun }: { limitBytes: number; tooLarge: () => ProblemError; noun: string },
): Readable {
  let seen = 0;
  const limit = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      seen += chunk.length;
      if (seen > limitBytes) done(tooLarge());
      else done(null, chunk);
    },
  });
  request.once('close', () => {
    if (!request.readableEnded)
      limit.destroy(new ProblemError('VALIDATION_FAILED', `The ${noun} is incomplete. Send it again.`));
  });
  return request.pipe(limit);
}
