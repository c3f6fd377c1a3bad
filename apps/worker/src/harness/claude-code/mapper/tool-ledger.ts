import type { OpenTool } from '../../harness-output';

export interface Tool {
  readonly toolUseId: string;
  name: string;
  parentToolUseId: string | null;
  /** Pieces of the input as they were streamed, not yet parsed. */
  json: string;
  /** The beginning of `json`, kept apart so that showing it never costs the whole. */
  preview: string;
  /** Characters of the preview already shown, and when. */
  shownChars: number;
  shownAt: number;
  input: unknown;
  mutating: boolean;
  /** Null until its input was known whole. */
  startedAt: number | null;
  ended: boolean;
}

/** How much of an input under way is shown. */
const PREVIEW_CHARS = 4_000;

/** The tool calls of a turn by their id. */
export class ToolLedger {
  private readonly tools = new Map<string, Tool>();

  tool(toolUseId: string): Tool {
    let tool = this.tools.get(toolUseId);
    if (!tool) {
      tool = {
        toolUseId,
        name: '',
        parentToolUseId: null,
        json: '',
        preview: '',
        shownChars: 0,
        shownAt: 0,
        input: undefined,
        mutating: false,
        startedAt: null,
        ended: false,
      };
      this.tools.set(toolUseId, tool);
    }
    return tool;
  }

  find(toolUseId: string): Tool | null {
    return this.tools.get(toolUseId) ?? null;
  }

  /** Its call was taken back before it began: nothing more is known of it. */
  dropUnstarted(toolUseId: string | null): void {
    if (toolUseId !== null && this.find(toolUseId)?.startedAt === null) this.tools.delete(toolUseId);
  }

  all(): Tool[] {
    return [...this.tools.values()];
  }

  open(): OpenTool[] {
    return this.all()
      .filter((tool) => tool.startedAt !== null && !tool.ended)
      .map(({ toolUseId, name, mutating }) => ({ toolUseId, name, mutating }));
  }

  get mutatingToolStarted(): boolean {
    return this.all().some((tool) => tool.startedAt !== null && tool.mutating);
  }
}

/** Forgets what was streamed of an input: it starts over, or is known whole. */
export function forgetInput(tool: Tool): void {
  tool.json = '';
  tool.preview = '';
  tool.shownChars = 0;
}

/** Adds a piece of streamed input in constant time. */
export function addInputPiece(tool: Tool, piece: string): void {
  tool.json += piece;
  if (tool.preview.length < PREVIEW_CHARS) tool.preview = (tool.preview + piece).slice(0, PREVIEW_CHARS);
}
