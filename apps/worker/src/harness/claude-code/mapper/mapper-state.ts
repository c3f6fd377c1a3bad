import type { PermissionDenial } from '@chirality/contracts';
import type { AskedFor, HarnessEvent, HarnessOutput, RunReport } from '../../harness-output';
import { MessageLedger, type Message } from './message-ledger';
import { ReportedCost } from '../usage/reported-cost';
import { StreamedUsage } from '../usage/streamed-usage';
import { TodoList } from './todo-list';
import { ToolLedger } from './tool-ledger';

const MAX_IGNORED_KINDS = 200;
const MAX_KIND_CHARS = 80;

/** What is known of the conversation for as long as the process lives. */
export class ConversationState {
  /** By `init`. */
  sessionId: string | null = null;
  /** By whatever named one before `init` did. */
  mentionedSessionId: string | null = null;
  model: string | null = null;
  version: string | null = null;
  asked: AskedFor;
  /** The mode that it is in; the program reports a change. */
  permissionMode: string | null;
  readonly todos = new TodoList();
  readonly cost = new ReportedCost();

  constructor(
    /** The session that the next `init` should name; null when it may choose. */
    public expectedSessionId: string | null,
    asked: AskedFor,
  ) {
    this.asked = asked;
    this.permissionMode = asked.permissionMode ?? null;
  }
}

type ApiFailure = { errorClass: string | null; status: number | null; text: string };

/** What is known of the turn that is being served. */
export class TurnState {
  readonly messages = new MessageLedger();
  readonly tools = new ToolLedger();
  readonly usage = new StreamedUsage();
  readonly denials = new Map<string, PermissionDenial>();
  readonly ignored = new Map<string, number>();
  /** The message whose stream is under way, by the tool call it speaks for ('' in the main conversation). */
  readonly streaming = new Map<string, Message>();
  apiFailure: ApiFailure | null = null;
  /** Why the program did not do what one of its commands asks for; its result calls that a success. */
  commandFailure: string | null = null;
  refused = false;
  saidFirstText = false;
  /** The last `init` that was passed on in this turn, to tell a repetition. */
  announced: string | null = null;
  lastReport: RunReport | null = null;
  results = 0;
  unnamed = 0;

  countIgnored(what: string): void {
    const kind = what.slice(0, MAX_KIND_CHARS);
    const count = this.ignored.get(kind);
    if (count === undefined && this.ignored.size >= MAX_IGNORED_KINDS) return;
    this.ignored.set(kind, (count ?? 0) + 1);
  }
}

/** Handed to every handler: state to change, and where outputs go. */
export class MapperContext {
  outputs: HarnessOutput[] = [];
  turn = new TurnState();

  constructor(
    readonly conversation: ConversationState,
    /** Milliseconds of a clock that never goes back. */
    readonly now: () => number,
  ) {}

  put(output: HarnessOutput): void {
    this.outputs.push(output);
  }

  event(event: HarnessEvent, bytes?: number): void {
    this.outputs.push(bytes === undefined ? { type: 'event', event } : { type: 'event', event, bytes });
  }

  notice(level: 'info' | 'warning' | 'error', code: string, text: string): void {
    this.event({ kind: 'turn:notice', payload: { level, code, text } });
  }

  ignore(what: string): void {
    this.turn.countIgnored(what);
    this.outputs.push({ type: 'ignored', what: what.slice(0, MAX_KIND_CHARS) });
  }

  /** Once per turn, when the answer begins. */
  answerBegins(parentToolUseId: string | null): void {
    if (parentToolUseId !== null || this.turn.saidFirstText) return;
    this.turn.saidFirstText = true;
    this.put({ type: 'first-text' });
  }
}

/** A record's handler, or that of a part of it. */
export type Handler<T = Readonly<Record<string, unknown>>> = (context: MapperContext, record: T) => void;
