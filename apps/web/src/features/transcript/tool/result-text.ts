type ResultPart = { kind: 'text'; text: string } | { kind: 'image'; source: string };

const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function imageSource(block: Record<string, unknown>): string | null {
  const source = block.source as Record<string, unknown> | null | undefined;
  if (source?.type !== 'base64' || typeof source.media_type !== 'string' || typeof source.data !== 'string')
    return null;
  return IMAGE_TYPES.has(source.media_type) && /^[A-Za-z0-9+/=\s]+$/.test(source.data)
    ? `data:${source.media_type};base64,${source.data}`
    : null;
}

function partOf(block: unknown): ResultPart[] {
  if (typeof block === 'string') return [{ kind: 'text', text: block }];
  if (typeof block !== 'object' || block === null) return [];
  const fields = block as Record<string, unknown>;
  if (fields.type === 'text' && typeof fields.text === 'string') return [{ kind: 'text', text: fields.text }];
  if (fields.type === 'image') {
    const source = imageSource(fields);
    return source === null ? [{ kind: 'text', text: '[picture]' }] : [{ kind: 'image', source }];
  }
  return [{ kind: 'text', text: JSON.stringify(block, null, 2) }];
}

/** What a tool answered, as text and pictures. Pictures come from the result itself; nothing is fetched. */
export function resultParts(content: unknown): ResultPart[] {
  const parts = Array.isArray(content) ? content.flatMap(partOf) : partOf(content);
  return parts.map((part) => (part.kind === 'text' ? { ...part, text: withoutErrorTag(part.text) } : part));
}

/** The program wraps refusals in its own tag. */
function withoutErrorTag(text: string): string {
  return /^<tool_use_error>([\s\S]*)<\/tool_use_error>\s*$/.exec(text)?.[1] ?? text;
}
