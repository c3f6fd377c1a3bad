const OPENING = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*(?:\n|$)/;

/**
 * The code of a block that is one fence, closed or not yet; null for every other block. It needs no markdown parser.
 */
export function openFence(block: string): { language: string | null; code: string } | null {
  const opening = OPENING.exec(block);
  if (opening === null) return null;
  const mark = opening[1]!;
  const body = block.slice(opening[0].length);
  const closing = new RegExp(`(?:^|\\n) {0,3}\\${mark[0]!}{${mark.length},}[ \\t]*(?:\\n|$)`).exec(body);
  if (closing !== null && body.slice(closing.index + closing[0].length).trim() !== '') return null;
  const code = closing === null ? body : body.slice(0, closing.index);
  return { language: opening[2] === '' ? null : opening[2]!, code: code.replace(/\n$/, '') };
}
