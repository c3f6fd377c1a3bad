import { asText } from '../records/json';
import { acceptAssistantWith, CONTENT_HANDLERS, type ContentBlock } from './assistant-records';
import type { Handler } from './mapper-state';
import {
  acceptControlCancel,
  acceptControlRequest,
  acceptControlResponse,
  acceptConversationReset,
  acceptRateLimit,
  acceptToolProgress,
  unusedRecord,
} from './other-records';
import { acceptResult } from './result-records';
import { continueBlockWith, DELTA_HANDLERS, readStreamEvent, STREAM_HANDLERS, type Delta, type StreamEvent } from './stream-events';
import { SYSTEM_HANDLERS } from './system-records';
import { acceptUser } from './user-records';

export type HandlerTables = {
  records: ReadonlyMap<string, Handler>;
  system: ReadonlyMap<string, Handler>;
  stream: ReadonlyMap<string, Handler<StreamEvent>>;
  delta: ReadonlyMap<string, Handler<Delta>>;
  content: ReadonlyMap<string, Handler<ContentBlock>>;
};

/** One table by the type of a record, made of the tables of its parts. */
export function recordHandlers({ records, system, stream, delta, content }: HandlerTables): ReadonlyMap<string, Handler> {
  const bySubtype: Handler = (context, record) => {
    const subtype = asText(record['subtype']) ?? '';
    const handle = system.get(subtype);
    if (handle) handle(context, record);
    else context.ignore(`system:${subtype}`);
  };
  const continueBlock = continueBlockWith(delta);
  const byEvent: Handler = (context, record) => {
    const streamed = readStreamEvent(context, record);
    const type = asText(streamed?.event['type']) ?? '';
    const handle = type === 'content_block_delta' ? continueBlock : stream.get(type);
    if (streamed && handle) handle(context, streamed);
    else context.ignore(`stream_event:${type}`);
  };
  return new Map([...records, ['assistant', acceptAssistantWith(content)], ['system', bySubtype], ['stream_event', byEvent]]);
}

const PLAIN_HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['user', acceptUser],
  ['result', acceptResult],
  ['control_request', acceptControlRequest],
  ['control_response', acceptControlResponse],
  ['control_cancel_request', acceptControlCancel],
  ['conversation_reset', acceptConversationReset],
  ['rate_limit_event', acceptRateLimit],
  ['tool_progress', acceptToolProgress],
  // Known, and of no use to anybody outside the program.
  ['command_lifecycle', unusedRecord],
  ['keep_alive', unusedRecord],
]);

export const HANDLER_TABLES: HandlerTables = {
  records: PLAIN_HANDLERS,
  system: SYSTEM_HANDLERS,
  stream: STREAM_HANDLERS,
  delta: DELTA_HANDLERS,
  content: CONTENT_HANDLERS,
};
export const RECORD_HANDLERS = recordHandlers(HANDLER_TABLES);
