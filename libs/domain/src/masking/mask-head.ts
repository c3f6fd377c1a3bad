import type { MaskPattern } from './mask-pattern';
import { MaskingStream } from './masking-stream';

/**
 * Masks text that was cut off at its end: what could be the beginning of a secret there, which can no longer be
 * recognised, is left out.
 */
export function maskHead(text: string, patterns?: readonly MaskPattern[]): string {
  return new MaskingStream(patterns).push(text);
}
