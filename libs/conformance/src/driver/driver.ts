import type { Envelope } from '@chirality/contracts';

/** The ways in that the suite knows, in the order of its report. */
export const TRANSPORTS = ['rest', 'socket.io', 'websocket', 'mcp', 'harness-routes'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Where a server is, and as whom it is asked. */
export type Target = {
  /** Without a slash at its end; a path below the host is kept. */
  url: string;
  token: string;
  projectId: string;
};

/** How a turn ended, as the transport tells it. */
export type TurnOutcome = { status: string; text: string };

/** One object of a turn's stream as the earlier harness has it. */
export type UiEvent = { type: string; sessionId: string; [field: string]: unknown };

/** The events of a session, as they come. */
export interface Following {
  readonly events: readonly Envelope[];
  /** Settles once `seen` is true of what has come; rejects after the suite's limit, or when the server ended it. */
  until(what: string, seen: (events: readonly Envelope[]) => boolean): Promise<void>;
  /** Settles when the server ended it, with the reason where it gave one. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export type Decision = 'allow_once' | 'deny';

/**
 * What the suite does over a transport. Methods reject with a `Refusal` where the server answers with a problem, and
 * a method that is absent is one that the transport does not offer.
 */
export interface Driver {
  readonly transport: Transport;
  /** The version that the server says it speaks. */
  hello?(): Promise<string>;
  createSession(): Promise<string>;
  endSession(session: string): Promise<void>;
  /** The id of the accepted turn. */
  send(session: string, message: string): Promise<string>;
  /** Waits until the turn has ended. */
  outcome(session: string, turn: string): Promise<TurnOutcome>;
  interrupt(session: string): Promise<void>;
  /** Whether the token's class counts. Over MCP every client is an agent, whatever its token says. */
  readonly answersAsPerson?: true;
  answer?(session: string, permissionId: string, decision: Decision): Promise<void>;
  /** The events after the one with the id `after`; 0 is all of them. */
  follow?(session: string, after: number): Promise<Following>;
  /** A turn as the stream of objects that the earlier harness answers with; whole, so until it ended. */
  uiTurn?(session: string, message: string): Promise<UiEvent[]>;
  close(): Promise<void>;
}

/** What of a driver not every transport has. */
export type Ability = 'hello' | 'answer' | 'answersAsPerson' | 'follow' | 'uiTurn';
