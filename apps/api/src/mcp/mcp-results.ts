import { ErrorCode, McpError, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '@chirality/platform';
import { problemOf } from '../core/problem/problem-of';
import { problemDocument } from '../core/problem/problems';

/** What the protocol calls a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;

/** The same as text and as an object: older clients read only the text. */
export function answer(structured: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured };
}

/** A refusal that the model reads: its code is stable, its sentence says what to do. */
export function refusal(error: unknown, log: Logger): CallToolResult {
  const { code, status, detail } = shownProblem(error, log);
  return { isError: true, content: [{ type: 'text', text: `${code} (${status}): ${detail}` }] };
}

/** The same for what is no tool. */
export function protocolError(error: unknown, log: Logger, uri: string): McpError {
  if (error instanceof McpError) return error;
  const { code, status, detail } = shownProblem(error, log);
  const kind = status === 404 ? RESOURCE_NOT_FOUND : status >= 500 ? ErrorCode.InternalError : ErrorCode.InvalidRequest;
  return new McpError(kind, detail, { uri, code });
}

function shownProblem(error: unknown, log: Logger) {
  const { problem, expected } = problemOf(error);
  if (!expected) log.error({ err: error }, 'mcp.call_failed');
  return problemDocument(problem, '');
}
