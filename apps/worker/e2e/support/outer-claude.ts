import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { startScriptedModel, type ScriptedModel } from '@chirality/scripted-model';
import { waitFor } from '@chirality/testing';
import { claudeProgram } from '../../src/harness/claude-code/claude-program';

type Block = { type: string; text?: string; content?: unknown; is_error?: boolean };
type Record = { type: string; message?: { content?: Block[] | string }; subtype?: string; mcp_servers?: unknown };
const TERMINAL = resolve(__dirname, '../../../terminal/dist/main.js');

export type ToolResult = { text: string; isError: boolean };

/** Someone’s own Claude Code, outside of the product, with the product as its MCP server and a scripted model. */
export class OuterClaude {
  readonly records: Record[] = [];
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private complaints = '';

  private constructor(
    private readonly directory: string,
    private readonly model: ScriptedModel,
    server: object,
  ) {
    const config = join(directory, 'mcp.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { chirality: server } }), { mode: 0o600 });
    const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    args.push('--setting-sources', '', '--strict-mcp-config', '--mcp-config', config);
    args.push('--allowedTools', 'mcp__chirality,ReadMcpResourceTool,ListMcpResourcesTool');
    this.child = spawn(claudeProgram().locate().hostPath, args, {
      cwd: join(directory, 'work'),
      env: {
        PATH: process.env['PATH'],
        HOME: directory,
        CLAUDE_CONFIG_DIR: join(directory, 'config'),
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'sk-ant-outer',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let rest = '';
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') this.records.push(JSON.parse(line) as Record);
    });
    this.child.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.complaints += chunk));
  }

  static start(url: string, token: string): Promise<OuterClaude> {
    const headers = { Authorization: `Bearer ${token}` };
    return OuterClaude.withServer({ type: 'http', url: `${url}/mcp`, headers });
  }

  /** With the terminal program between them, which speaks MCP at standard input and output. */
  static startOverStdio(url: string, token: string): Promise<OuterClaude> {
    const env = { CHIRALITY_URL: url, CHIRALITY_TOKEN: token };
    return OuterClaude.withServer({ type: 'stdio', command: process.execPath, args: [TERMINAL, 'mcp'], env });
  }

  private static async withServer(server: object): Promise<OuterClaude> {
    const directory = mkdtempSync('/tmp/chirality-outer-');
    for (const name of ['work', 'config']) mkdirSync(join(directory, name));
    const model = await startScriptedModel({
      listen: { host: '127.0.0.1', port: 0 },
      directives: true,
      wordDelayMs: 0,
    });
    return new OuterClaude(directory, model, server);
  }

  /** One message, through its result. Answers what the tools of it said. */
  async say(text: string): Promise<ToolResult[]> {
    const before = this.records.length;
    const message = { role: 'user', content: [{ type: 'text', text }] };
    this.child.stdin.write(`${JSON.stringify({ type: 'user', message })}\n`);
    const since = () => this.records.slice(before);
    await waitFor(() => since().some(({ type }) => type === 'result') || this.child.exitCode !== null, {
      what: 'the outer agent has a result',
      timeoutMs: 60_000,
    });
    if (this.child.exitCode !== null) throw new Error(`the outer agent ended: ${this.complaints}`);
    return since().flatMap(({ type, message: said }) =>
      type === 'user' && Array.isArray(said?.content)
        ? said.content.filter(({ type: kind }) => kind === 'tool_result').map(resultOf)
        : [],
    );
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
    await this.model.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function resultOf({ content, is_error: isError = false }: Block): ToolResult {
  const parts = Array.isArray(content) ? (content as Block[]).map(({ text = '' }) => text) : [content as string];
  return { text: parts.join(''), isError };
}
