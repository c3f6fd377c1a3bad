import { EMPTY_USAGE, type PermissionDenial, type TurnErrorCode } from '@chirality/contracts';
import { boundDepth } from '../records/bounded-json';
import { asArray, asCount, asName, asNumber, asObject, asText, asTexts, type JsonObject } from '../records/json';
import { closeMessage } from './blocks';
import { finalText } from './final-text';
import type { RunReport } from '../../harness-output';
import type { Handler, MapperContext } from './mapper-state';
import { failureCode, isRetryable, turnError } from './turn-error';

export const acceptResult: Handler = (context, record) => {
  const { turn, conversation } = context;
  for (const message of turn.messages.all()) closeMessage(context, message);
  conversation.cost.addResult(record);
  const failed = failureOf(context, record);
  const answer = failed === null ? answerOf(context, record) : { text: streamedText(context, record), degraded: false };
  const code = failed ?? (isAnswer(record, answer.text) ? null : missingAnswerCode(context));
  const report: RunReport = {
    ...commonReport(context),
    outcome: code === null ? 'completed' : code === 'INTERRUPTED' ? 'interrupted' : 'failed',
    error:
      code === null ? null : turnError(code, messagesOf(context, record), context.turn.apiFailure?.errorClass ?? null),
    retryable: code !== null && isRetryable(code),
    text: answer.text,
    degraded: answer.degraded || (code !== null && failed === null),
    structured: structuredOf(record),
    denials: denialsOf(context, record),
    claudeSessionId: conversation.sessionId ?? (code === null ? asName(record['session_id']) : null),
    terminalReason: asName(record['terminal_reason']),
    numTurns: asCount(record['num_turns']),
  };
  turn.lastReport = report;
  const resultIndex = asNumber(record['result_index']) === null ? turn.results : asCount(record['result_index']);
  turn.results += 1;
  context.put({
    type: 'result',
    result: { ...report, resultIndex, queuedTurnCount: asCount(record['queued_turn_count']) },
  });
};

/** The parts of a report that are the same with and without a result line. */
export function commonReport(
  context: MapperContext,
): Omit<RunReport, 'outcome' | 'error' | 'retryable' | 'text' | 'degraded'> {
  const { turn, conversation } = context;
  return {
    structured: null,
    denials: [...turn.denials.values()],
    reportedCostUsd: conversation.cost.costUsd,
    reportedUsage: conversation.cost.usage ?? (turn.messages.all().length === 0 ? EMPTY_USAGE : turn.usage.total),
    reportedByModel: conversation.cost.byModel,
    ...(conversation.cost.doubt ? { usageDoubt: conversation.cost.doubt } : {}),
    claudeSessionId: conversation.sessionId ?? conversation.mentionedSessionId,
    model: conversation.model,
    version: conversation.version,
    terminalReason: null,
    numTurns: 0,
    openTools: turn.tools.open(),
    mutatingToolStarted: turn.tools.mutatingToolStarted,
  };
}

/** `is_error` decides, then the reason, then the subtype; a success can be an error and an exit code says nothing. */
function failureOf(context: MapperContext, record: JsonObject): TurnErrorCode | null {
  const { apiFailure, refused } = context.turn;
  const code = failureCode({
    terminalReason: asName(record['terminal_reason']),
    subtype: asName(record['subtype']),
    stopReason: asName(record['stop_reason']),
    apiStatus: asNumber(record['api_error_status']) ?? apiFailure?.status ?? null,
    apiErrorClass: apiFailure?.errorClass ?? null,
    refused,
    messages: messagesOf(context, record),
  });
  if (record['is_error'] === true) return code;
  if (context.turn.commandFailure !== null) return 'HARNESS_FAILURE';
  const subtype = asName(record['subtype']);
  const stopped = subtype !== null && subtype !== 'success';
  return stopped ||
    code === 'MAX_TURNS' ||
    code === 'BUDGET_EXCEEDED' ||
    code === 'INTERRUPTED' ||
    code === 'PROMPT_TOO_LONG' ||
    code === 'ATTACHMENT_UNSUPPORTED'
    ? code
    : null;
}

function messagesOf(context: MapperContext, record: JsonObject): string[] {
  const errors = asTexts(record['errors']);
  const said = record['is_error'] === true ? asName(record['result']) : context.turn.commandFailure;
  const all = said === null ? errors : [said, ...errors];
  return all.length > 0 || context.turn.apiFailure === null ? all : [context.turn.apiFailure.text];
}

function structuredOf(record: JsonObject): RunReport['structured'] {
  const structured = asObject(record['structured_output']);
  return structured && asObject(boundDepth(structured));
}

function streamedText(context: MapperContext, record: JsonObject): string {
  return finalText(context.turn.messages.all(), new Set(asTexts(record['begun_message_ids'])));
}

/** Blocks over the result's own text, which holds only the first piece of an answer in several records. */
function answerOf(context: MapperContext, record: JsonObject): { text: string; degraded: boolean } {
  const stated = asText(record['result']) ?? '';
  if (record['structured_output'] !== undefined && stated !== '') return { text: stated, degraded: false };
  const streamed = streamedText(context, record);
  if (streamed === '') return { text: stated, degraded: false };
  return { text: streamed, degraded: stated === '' && asName(record['local_command']) === null };
}

/** A command that the program answers without the model may have nothing to say. */
function isAnswer(record: JsonObject, text: string): boolean {
  return text !== '' || asName(record['local_command']) !== null;
}

function missingAnswerCode(context: MapperContext): TurnErrorCode {
  const { apiFailure } = context.turn;
  if (apiFailure === null) return 'NO_RESULT';
  return failureCode({
    terminalReason: 'api_error',
    subtype: null,
    stopReason: null,
    apiStatus: apiFailure.status,
    apiErrorClass: apiFailure.errorClass,
    refused: context.turn.refused,
    messages: [],
  });
}

function denialsOf(context: MapperContext, record: JsonObject): PermissionDenial[] {
  const reported = record['permission_denials'];
  if (!Array.isArray(reported)) return [...context.turn.denials.values()];
  return asArray(reported).flatMap((value) => {
    const denial = asObject(value);
    if (!denial) return [];
    return [
      {
        tool: asText(denial['tool_name']) ?? '',
        toolUseId: asText(denial['tool_use_id']) ?? '',
        input: boundDepth(denial['tool_input'] ?? null),
      },
    ];
  });
}
