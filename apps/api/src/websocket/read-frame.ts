import { clientFrameSchema, type ClientFrame } from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import { parseOrRefuse } from '../core/http/validate';

/** A frame as a client sent it. Throws VALIDATION_FAILED. */
export function readFrame(data: Buffer, isBinary: boolean): ClientFrame {
  if (isBinary) throw new ProblemError('VALIDATION_FAILED', 'Frames are text. Send one JSON object in each.');
  let value: unknown;
  try {
    value = JSON.parse(data.toString('utf8'));
  } catch {
    throw new ProblemError('VALIDATION_FAILED', 'The frame is not valid JSON. Send one JSON object.');
  }
  return parseOrRefuse(clientFrameSchema, value, 'frame');
}
