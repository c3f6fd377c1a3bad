import { BUILT_IN_RULES, compiledRulesFor } from './compiled-rules';
import type { MaskPattern } from './mask-pattern';
import { MaskingStream } from './masking-stream';
import { isOrdinary } from './may-matter';

/** The whole text masked at once: what a MaskingStream makes of it, whatever the cuts. The same string where nothing was found. */
export function maskText(text: string, patterns?: readonly MaskPattern[]): string {
  if (text === '' || isOrdinary(patterns ? compiledRulesFor(patterns) : BUILT_IN_RULES, text)) return text;
  const stream = new MaskingStream(patterns);
  const masked = stream.push(text);
  return stream.heldBack === 0 ? masked : masked + stream.flush();
}
