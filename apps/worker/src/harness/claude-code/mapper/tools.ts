import { isMutatingTool } from '@chirality/domain';
import { boundDepth } from '../records/bounded-json';
import { asObject } from '../records/json';
import type { MapperContext } from './mapper-state';
import { addInputPiece, forgetInput, type Tool } from './tool-ledger';

/** An input under way is shown at most this often, and not at all when it is whole before. */
const PROGRESS_EVERY_MS = 250;

/** A tool call's input is known whole: it starts, once. */
export function startTool(context: MapperContext, tool: Tool, input: unknown): void {
  if (tool.startedAt !== null) return;
  tool.input = boundDepth(input ?? {});
  tool.mutating = isMutatingTool(tool.name);
  tool.startedAt = context.now();
  forgetInput(tool);
  const { toolUseId, name, mutating } = tool;
  context.put({ type: 'tool-started', toolUseId, name, mutating });
  context.event({ kind: 'tool:start', payload: { toolUseId, name, input: tool.input, mutating, ...parentOf(tool) } });
}

/**
 * Starts a tool whose input was only streamed. Used once it is certain that the call stands: a broken message may hold
 * a whole input that never runs. Input that is not whole is left alone; nothing is guessed.
 */
export function startStreamedTool(context: MapperContext, toolUseId: string | null): void {
  const tool = toolUseId === null ? null : context.turn.tools.find(toolUseId);
  if (!tool || tool.startedAt !== null || tool.name === '') return;
  const input = parseInput(tool.json);
  if (input) startTool(context, tool, input);
  else if (tool.json !== '') sayIncomplete(context, tool);
}

/** Shows the beginning of an input that is still being written. */
export function streamInput(context: MapperContext, tool: Tool, piece: string): void {
  if (tool.startedAt !== null) return;
  addInputPiece(tool, piece);
  const now = context.now();
  if (tool.preview.length === tool.shownChars || now - tool.shownAt < PROGRESS_EVERY_MS) return;
  tool.shownAt = now;
  tool.shownChars = tool.preview.length;
  context.event({
    kind: 'tool:progress',
    payload: { toolUseId: tool.toolUseId, name: tool.name, partialInput: tool.preview, ...parentOf(tool) },
  });
}

export function sayProgress(
  context: MapperContext,
  toolUseId: string,
  progress: { elapsedMs?: number; text?: string },
): void {
  const tool = context.turn.tools.find(toolUseId);
  if (tool?.ended) return;
  context.event({ kind: 'tool:progress', payload: { toolUseId, ...progress, ...(tool ? parentOf(tool) : {}) } });
}

export function parentOf(tool: Tool): { parentToolUseId?: string } {
  return tool.parentToolUseId === null ? {} : { parentToolUseId: tool.parentToolUseId };
}

function sayIncomplete(context: MapperContext, tool: Tool): void {
  const { toolUseId, name, preview } = tool;
  context.turn.tools.dropUnstarted(toolUseId);
  context.event({
    kind: 'tool:progress',
    payload: { toolUseId, name, partialInput: preview, incomplete: true, ...parentOf(tool) },
  });
}

function parseInput(json: string): object | null {
  try {
    return asObject(JSON.parse(json === '' ? '{}' : json));
  } catch {
    return null;
  }
}
