import {
  asArray,
  asCount,
  asModelName,
  asName,
  asNumber,
  asObject,
  asText,
  asTexts,
  type JsonObject,
} from '../records/json';
import { withdrawBlocks } from './blocks';
import type { InitReport } from '../../harness-output';
import { compareInit } from './init-comparison';
import type { Handler, MapperContext } from './mapper-state';
import { firstUnfinishedBlock } from './message-ledger';
import { sayProgress } from './tools';
import { noteDenial } from './user-records';

const NOTICE_CHARS = 2_000;

/**
 * `init` comes once per turn, and again when the program continues without a message: only what changed is said again.
 */
const acceptInit: Handler = (context, record) => {
  const { conversation } = context;
  const claudeSessionId = asName(record['session_id']);
  if (claudeSessionId === null) return context.ignore('init:without session_id');
  const expected = conversation.expectedSessionId;
  const init: InitReport = {
    claudeSessionId,
    forkedFrom: expected !== null && expected !== claudeSessionId ? expected : null,
    model: asModelName(record['model']),
    version: asName(record['claude_code_version']),
    permissionMode: asName(record['permissionMode']),
    cwd: asName(record['cwd']),
    tools: asTexts(record['tools']),
  };
  conversation.sessionId = claudeSessionId;
  conversation.expectedSessionId = claudeSessionId;
  conversation.model = init.model ?? conversation.model;
  conversation.version = init.version ?? conversation.version;
  const announced = JSON.stringify([init.claudeSessionId, init.model, init.permissionMode, init.cwd, init.tools]);
  if (announced === context.turn.announced) return;
  context.turn.announced = announced;
  context.put({ type: 'init', init });
  context.event({
    kind: 'session:init',
    payload: {
      claudeSessionId,
      model: init.model ?? '',
      tools: init.tools,
      cwd: init.cwd ?? '',
      permissionMode: init.permissionMode ?? '',
      claudeCodeVersion: init.version ?? '',
      ...(init.forkedFrom === null ? {} : { forkedFrom: init.forkedFrom }),
    },
  });
  for (const difference of compareInit({ ...conversation.asked, permissionMode: conversation.permissionMode }, init))
    context.notice('warning', 'INIT_MISMATCH', difference);
  noteMissingServers(context, record);
};

function noteMissingServers(context: MapperContext, record: JsonObject): void {
  for (const value of asArray(record['mcp_servers'])) {
    const server = asObject(value);
    if (server?.['status'] === 'failed')
      context.notice(
        'warning',
        'MCP_SERVER_FAILED',
        `The tool server ${asText(server['name']) ?? ''} did not start; its tools are missing.`,
      );
  }
}

const MODE_SENTENCES: Readonly<Record<string, string>> = {
  default: 'Back to asking before changes.',
  acceptEdits: 'Claude edits files without asking from now on.',
  plan: 'Claude plans first from now on.',
};

const acceptStatus: Handler = (context, record) => {
  const mode = asName(record['permissionMode']);
  const { conversation } = context;
  if (mode !== null && mode !== conversation.permissionMode) {
    conversation.permissionMode = mode;
    context.put({ type: 'permission-mode', asAsked: mode === conversation.asked.permissionMode });
    context.notice('info', 'PERMISSION_MODE', MODE_SENTENCES[mode] ?? `The permission mode is now ${mode}.`);
  }
  const compacted = asName(record['compact_result']);
  if (compacted !== null && compacted !== 'success')
    context.notice('warning', 'COMPACTION_FAILED', 'The conversation could not be compacted.');
};

const acceptRetry: Handler = (context, record) => {
  const message = context.turn.streaming.get('');
  if (message) withdrawBlocks(context, message, firstUnfinishedBlock(message), 'retry');
  context.event({
    kind: 'turn:retry',
    payload: {
      attempt: asCount(record['attempt']),
      maxRetries: asCount(record['max_retries']),
      delayMs: asCount(record['retry_delay_ms']),
      status: asNumber(record['error_status']) === null ? null : asCount(record['error_status']),
      error: asText(record['error']) ?? 'unknown',
    },
  });
};

const acceptDenial: Handler = (context, record) => {
  const toolUseId = asName(record['tool_use_id']);
  const tool = asName(record['tool_name']);
  if (toolUseId !== null) noteDenial(context, toolUseId, tool);
  context.notice(
    'warning',
    'PERMISSION_DENIED',
    `${tool ?? 'A tool'} was not permitted: ${contentOf(record, 'message')}`,
  );
};

const acceptRefusal: Handler = (context, record) => {
  context.turn.refused = true;
  context.notice('warning', 'MODEL_REFUSED', contentOf(record, 'content') || 'The model declined to answer.');
};

const acceptFallback: Handler = (context, record) => {
  const text =
    contentOf(record, 'content') || `Continued with ${asModelName(record['fallback_model']) ?? 'another model'}.`;
  context.conversation.model = asModelName(record['fallback_model']) ?? context.conversation.model;
  context.notice('warning', 'MODEL_FALLBACK', text);
};

const acceptInformational: Handler = (context, record) => {
  const level = record['level'];
  const text = contentOf(record, 'content');
  if (text !== '') context.notice(level === 'error' || level === 'warning' ? level : 'info', 'INFORMATIONAL', text);
};

const acceptTaskStarted: Handler = (context, record) => {
  const toolUseId = asName(record['tool_use_id']);
  const tool = toolUseId === null ? null : context.turn.tools.find(toolUseId);
  if (toolUseId === null) return;
  const elapsedMs =
    tool?.startedAt == null ? {} : { elapsedMs: Math.max(0, Math.round(context.now() - tool.startedAt)) };
  sayProgress(context, toolUseId, { ...elapsedMs, text: contentOf(record, 'description') });
};

const acceptTaskProgress: Handler = (context, record) => {
  const toolUseId = asName(record['tool_use_id']);
  if (toolUseId === null) return;
  const elapsedMs = asCount(asObject(record['usage'])?.['duration_ms']);
  sayProgress(context, toolUseId, { elapsedMs, text: contentOf(record, 'description') });
};

const acceptTaskNotification: Handler = (context, record) => {
  const toolUseId = asName(record['tool_use_id']);
  if (toolUseId !== null)
    sayProgress(context, toolUseId, {
      text: `${asText(record['status']) ?? 'ended'}: ${contentOf(record, 'summary')}`,
    });
};

const acceptCompaction: Handler = (context, record) => {
  const metadata = asObject(record['compact_metadata']);
  const postTokens = asNumber(metadata?.['post_tokens']);
  context.event({
    kind: 'compaction',
    payload: {
      trigger: asText(metadata?.['trigger']) ?? 'auto',
      preTokens: asCount(metadata?.['pre_tokens']),
      postTokens: postTokens === null ? null : asCount(postTokens),
    },
  });
};

function contentOf(record: JsonObject, field: string): string {
  return (asText(record[field]) ?? '').slice(0, NOTICE_CHARS);
}

const unused: Handler = () => undefined;

const SYSTEM_HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['init', acceptInit],
  ['status', acceptStatus],
  ['api_retry', acceptRetry],
  ['permission_denied', acceptDenial],
  ['model_refusal_no_fallback', acceptRefusal],
  ['model_fallback', acceptFallback],
  ['informational', acceptInformational],
  ['task_started', acceptTaskStarted],
  ['task_progress', acceptTaskProgress],
  ['task_notification', acceptTaskNotification],
  ['compact_boundary', acceptCompaction],
  // Known, and of no use outside the program.
  ['task_updated', unused],
  ['background_tasks_changed', unused],
  ['thinking_tokens', unused],
  ['hook_started', unused],
  ['hook_response', unused],
  ['session_state_changed', unused],
  ['ui_invalidate', unused],
  ['notification', unused],
]);

export const acceptSystem: Handler = (context, record) => {
  const subtype = asText(record['subtype']) ?? '';
  const handle = SYSTEM_HANDLERS.get(subtype);
  if (handle) handle(context, record);
  else context.ignore(`system:${subtype}`);
};
