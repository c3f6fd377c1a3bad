import { acceptAssistant } from './assistant-records';
import type { Handler } from './mapper-state';
import {
  acceptControlCancel,
  acceptControlRequest,
  acceptControlResponse,
  acceptConversationReset,
  acceptRateLimit,
  acceptToolProgress,
} from './other-records';
import { acceptResult } from './result-records';
import { acceptStreamEvent } from './stream-events';
import { acceptSystem } from './system-records';
import { acceptUser } from './user-records';

/** What is done with a record, by its type. A type that is not here is unknown. */
export const RECORD_HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['system', acceptSystem],
  ['stream_event', acceptStreamEvent],
  ['assistant', acceptAssistant],
  ['user', acceptUser],
  ['result', acceptResult],
  ['control_request', acceptControlRequest],
  ['control_response', acceptControlResponse],
  ['control_cancel_request', acceptControlCancel],
  ['conversation_reset', acceptConversationReset],
  ['rate_limit_event', acceptRateLimit],
  ['tool_progress', acceptToolProgress],
  // Known, and of no use outside the program.
  ['command_lifecycle', () => undefined],
  ['keep_alive', () => undefined],
]);
