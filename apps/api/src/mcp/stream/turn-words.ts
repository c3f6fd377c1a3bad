import type { Envelope } from '@chirality/contracts';

const MAX_LENGTH = 200;

/** What a person who waits for a turn reads of an event; null for what says nothing new. */
export function wordsOf(event: Envelope, pageOf: string): string | null {
  switch (event.kind) {
    case 'turn:queued':
      return event.payload.position === null ? 'Queued.' : `Queued, place ${event.payload.position}.`;
    case 'turn:start':
      return 'Started.';
    case 'tool:start':
      return shortened(`${event.payload.name} ${inputOf(event.payload.input)}`);
    case 'chat:complete':
      return event.payload.parentToolUseId === undefined ? shortened(event.payload.text) : null;
    case 'permission:request':
      return `Waits for a person to answer a request for ${event.payload.tool}: ${pageOf}`;
    case 'permission:resolve':
      return `The request was ${event.payload.outcome.replace('_', ' ')}.`;
    case 'turn:retry':
      return `The model’s service did not answer; try ${event.payload.attempt} of ${event.payload.maxRetries} follows.`;
    default:
      return null;
  }
}

/** The part of a tool's input that people tell calls apart by. */
function inputOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const { command, file_path: path, pattern, url, description } = input as Record<string, unknown>;
  const first = [command, path, pattern, url, description].find((value) => typeof value === 'string');
  return typeof first === 'string' ? first : '';
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}
