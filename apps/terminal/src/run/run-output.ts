import type { Session, SessionEvent, Turn } from '@chirality/client';
import type { Terminal } from '../program/terminal';
import { oneLine, safeJson, safeText } from '../text/safe-text';
import { toolTitle } from '../transcript/tool-title';

export type OutputFormat = 'text' | 'json' | 'stream-json';

type Output = { begin: (turn: Turn) => void; event: (event: SessionEvent) => void; end: (turn: Turn) => void };

/** How a turn is written: `live` for people who watch, the others for scripts. */
export function runOutput(terminal: Terminal, format: OutputFormat | 'live', session: Session): Output {
  const { out, note } = terminal;
  switch (format) {
    case 'live':
      return liveOutput(terminal, session);
    case 'text':
      return {
        ...quiet(note),
        end: (turn) => {
          if (turn.text) out(`${safeText(turn.text).trimEnd()}\n`);
          noteFailure(note, turn);
        },
      };
    case 'json':
      return { ...quiet(note), end: (turn) => out(`${safeJson(resultOf(session, turn))}\n`) };
    case 'stream-json':
      return {
        ...quiet(() => undefined),
        event: (event) => out(`${safeJson(event)}\n`),
        end: (turn) => out(`${safeJson({ kind: 'result', ...resultOf(session, turn) })}\n`),
      };
  }
}

/** The last word of a turn, as one object. */
function resultOf(session: Session, turn: Turn) {
  const { id, status, text, error, costUsd, usage, degraded } = turn;
  return { session: session.id, turn: id, status, text, error, costUsd, usage, degraded };
}

function quiet(note: (text: string) => void): Output {
  return { begin: () => undefined, event: (event) => noteRequest(note, event), end: () => undefined };
}

function noteRequest(note: (text: string) => void, event: SessionEvent): void {
  if (event.kind !== 'permission:request') return;
  note(`${oneLine(event.payload.tool)} needs an answer: chirality attach ${event.session}\n`);
}

function noteFailure(note: (text: string) => void, { status, error }: Turn): void {
  if (status === 'completed') return;
  note(error ? `${oneLine(error.detail)} (${error.code})\n` : `The turn ended as ${status}.\n`);
}

function liveOutput({ out, note }: Terminal, session: Session): Output {
  let isMidLine = false;
  let written = false;
  const line = (text: string) => {
    out(`${isMidLine ? '\n' : ''}${text}\n`);
    isMidLine = false;
  };
  return {
    begin: () => note(`Session ${session.id}\n`),
    event: (event) => {
      noteRequest(note, event);
      switch (event.kind) {
        // Whole blocks: a control sequence that is cut into two deltas would be seen by neither.
        case 'chat:complete':
          if (event.payload.parentToolUseId !== undefined || event.payload.text.trim() === '') return;
          line(safeText(event.payload.text).trimEnd());
          written = true;
          return;
        case 'tool:start':
          return line(`• ${toolTitle(event.payload.name, event.payload.input)}`);
        case 'tool:result':
          if (event.payload.isError) line('  failed');
          return;
        case 'turn:notice':
          return note(`${oneLine(event.payload.text)}\n`);
        default:
      }
    },
    end: (turn) => {
      if (!written && turn.text) line(safeText(turn.text).trimEnd());
      noteFailure(note, turn);
      note(`${turn.status} · $${turn.costUsd ?? '0'} · chirality attach ${session.id}\n`);
    },
  };
}
