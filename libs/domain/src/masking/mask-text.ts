import type { MaskPattern } from './mask-pattern';
import { MaskingStream } from './masking-stream';

/** The whole text masked at once: what a MaskingStream makes of it, whatever the cuts. The same string where nothing was found. */
export function maskText(text: string, patterns?: readonly MaskPattern[]): string {
  if (text === '') return text;
  const stream = new MaskingStream(patterns);
  const masked = stream.push(text);
  return stream.heldBack === 0 ? masked : masked + stream.flush();
}
