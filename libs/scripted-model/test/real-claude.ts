import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type ClaudeLine = { type: string; subtype?: string } & Record<string, unknown>;
export type ClaudeRun = {
  lines: ClaudeLine[];
  result: ClaudeLine | undefined;
  asked: { tool: string; input: Record<string, unknown> }[];
  stderr: string;
};
type Answer = { behavior: 'allow'; updatedInput?: unknown } | { behavior: 'deny'; message: string };
export type PermissionAnswer = (tool: string, input: Record<string, unknown>) => Answer;

const BINARY = join(
  __dirname,
  `../../../node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
);

/** The real program's path, or null where it is not installed. */
export function claudeBinary(): string | null {
  return existsSync(BINARY) ? BINARY : null;
}

const allow: PermissionAnswer = (_tool, input) => ({ behavior: 'allow', updatedInput: input });

/** Sends messages, one after the other's result, to one real `claude` and answers what it asks. */
export async function runClaude(options: {
  url: string;
  cwd: string;
  messages: string[];
  args?: string[];
  configDir?: string;
  onPermission?: PermissionAnswer;
  environment?: Record<string, string>;
}): Promise<ClaudeRun> {
  const configDir = options.configDir ?? mkdtempSync(join(tmpdir(), 'claude-config-'));
  const child = spawn(
    BINARY,
    [
      ...['--output-format', 'stream-json', '--input-format', 'stream-json', '--include-partial-messages', '--verbose'],
      ...['--permission-prompt-tool', 'stdio', '--setting-sources', '', '--strict-mcp-config', '--model', 'sonnet'],
      ...(options.args ?? []),
    ],
    {
      cwd: options.cwd,
      env: { ...environment(options.url, configDir), ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const run: ClaudeRun = { lines: [], result: undefined, asked: [], stderr: '' };
  child.stderr.on('data', (chunk: Buffer) => (run.stderr += chunk.toString('utf8')));
  const send = (line: unknown): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  const waiting = [...options.messages];
  const sendNext = (): void => {
    const content = waiting.shift();
    if (content === undefined) child.stdin.end();
    else
      send({
        type: 'user',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        session_id: '',
        client_composed: true,
      });
  };
  send({ type: 'control_request', request_id: 'initialize', request: { subtype: 'initialize' } });
  sendNext();
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as ClaudeLine;
    run.lines.push(line);
    if (line.type === 'result') {
      run.result = line;
      sendNext();
    } else if (line.type === 'control_request') answerControl(line, run, options.onPermission ?? allow, send);
  }
  if (options.configDir === undefined) rmSync(configDir, { recursive: true, force: true });
  return run;
}

function answerControl(
  line: ClaudeLine,
  run: ClaudeRun,
  decide: PermissionAnswer,
  send: (line: unknown) => void,
): void {
  const request = line['request'] as { tool_name?: string; input?: Record<string, unknown> };
  const [tool, input] = [request.tool_name ?? '', request.input ?? {}];
  run.asked.push({ tool, input });
  send({
    type: 'control_response',
    response: { subtype: 'success', request_id: line['request_id'], response: decide(tool, input) },
  });
}

function environment(url: string, configDir: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: configDir,
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CONFIG_DIR: configDir,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
  };
}

/** The text of the last assistant message that has one. */
export function finalText(run: ClaudeRun): string {
  const texts = run.lines.flatMap((line) => {
    const content =
      line.type === 'assistant'
        ? (line['message'] as { content?: { type: string; text?: string }[] }).content
        : undefined;
    return (content ?? []).flatMap((block) => (block.type === 'text' && block.text ? [block.text] : []));
  });
  return texts.at(-1) ?? '';
}
