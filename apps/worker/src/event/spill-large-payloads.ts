import type { NewEvent } from '@chirality/contracts';
import { previewText, toolResultHref, toolResultKey } from '@chirality/domain';
import type { BlobStore } from '@chirality/platform';

/** How much of a large text stays in the event. */
const PREVIEW_CHARS = 8_000;

/**
 * Puts what is too large for an event elsewhere: a tool's result is kept whole as a blob and shown by its beginning and
 * end; of any other text only a preview stays, for what it shows is in the transcript of the program.
 */
export function spillLargePayloads(blobs: BlobStore) {
  return async (sessionId: string, event: NewEvent, bytes: number): Promise<NewEvent> => {
    if (event.kind !== 'tool:result' || event.turn === null) return shortened(event, bytes);
    const { toolUseId, content } = event.payload;
    await blobs.put(toolResultKey(event.turn, toolUseId), Buffer.from(JSON.stringify({ content })));
    const { patch: _patch, ...rest } = event.payload;
    return {
      ...event,
      payload: {
        ...rest,
        content: previewOf(content),
        truncated: { bytes, href: toolResultHref(sessionId, event.turn, toolUseId) },
      },
    };
  };
}

/** A message of a person and the blocks of an answer are shown whole, however long. */
function shortened(event: NewEvent, bytes: number): NewEvent {
  if (event.kind !== 'tool:start') return event;
  return {
    ...event,
    payload: { ...event.payload, input: shortenTexts(event.payload.input), truncatedInput: { bytes } },
  };
}

function shortenTexts(value: unknown): unknown {
  if (typeof value === 'string') return previewText(value, PREVIEW_CHARS);
  if (Array.isArray(value)) return value.slice(0, 50).map(shortenTexts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 50)
      .map(([key, inner]) => [key, shortenTexts(inner)]),
  );
}

function previewOf(content: unknown): string {
  if (typeof content === 'string') return previewText(content, PREVIEW_CHARS);
  const texts = (Array.isArray(content) ? content : []).map((block: unknown) => {
    const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
    return typeof text === 'string' ? text : `[${typeof type === 'string' ? type : 'data'}]`;
  });
  return previewText(texts.join('\n'), PREVIEW_CHARS);
}
