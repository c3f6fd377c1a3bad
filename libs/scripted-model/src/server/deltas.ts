import type { Pace, ReplyBlock } from '../api/reply';

type Delta =
  | { type: 'text_delta'; text: string }
  | { type: 'thinking_delta'; thinking: string }
  | { type: 'signature_delta'; signature: string }
  | { type: 'input_json_delta'; partial_json: string };

/** A block as the stream announces it, before any of its content. */
export function emptyBlock(block: ReplyBlock, id: string): Record<string, unknown> {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  if (block.type === 'tool_use') return { type: 'tool_use', id: block.id ?? id, name: block.name, input: {} };
  return block;
}

/** A block as a whole answer holds it. */
export function wholeBlock(block: ReplyBlock, id: string): Record<string, unknown> {
  if (block.type === 'thinking') return { ...block, signature: signatureOf(block.thinking) };
  return block.type === 'tool_use' ? { ...block, id: block.id ?? id } : block;
}

export function* deltasOf(block: ReplyBlock, pace: Pace): Generator<Delta> {
  if (block.type === 'text') for (const text of piecesOf(block.text, pace)) yield { type: 'text_delta', text };
  else if (block.type === 'thinking') {
    for (const thinking of piecesOf(block.thinking, pace)) yield { type: 'thinking_delta', thinking };
    yield { type: 'signature_delta', signature: signatureOf(block.thinking) };
  } else if (block.type === 'tool_use') {
    for (const piece of piecesOf(JSON.stringify(block.input), {
      ...pace,
      unit: 'character',
      size: Math.max(pace.size, 24),
    })) {
      yield { type: 'input_json_delta', partial_json: piece };
    }
  }
}

/** Pieces that never end inside a surrogate pair, which JSON could not carry. */
function* piecesOf(text: string, { unit, size }: Pace): Generator<string> {
  const units = unit === 'word' ? (text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text]) : [...text];
  for (let at = 0; at < units.length; at += size) yield units.slice(at, at + size).join('');
}

/** Looks like a signature and depends on nothing but the text. */
function signatureOf(thinking: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < thinking.length; at += 1) hash = Math.imul(hash ^ thinking.charCodeAt(at), 0x01000193) >>> 0;
  return Buffer.from(`scripted-${hash.toString(16).padStart(8, '0')}`.repeat(3)).toString('base64');
}
