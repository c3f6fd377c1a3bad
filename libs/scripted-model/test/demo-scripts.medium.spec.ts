import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costOfRequest, DEFAULT_PRICES, EMPTY_PRICED_USAGE, findPrice } from '@chirality/domain';
import { startScriptedModel, type ScriptedModel } from '../src';
import { claudeBinary, finalText, runClaude, type ClaudeRun, type PermissionAnswer } from './real-claude';

const installed = claudeBinary() !== null;
if (!installed) process.stderr.write('skipped: the real claude is not installed for this platform\n');
const withClaude = installed ? describe : describe.skip;
jest.setTimeout(60_000);

let model: ScriptedModel;
let cwd: string;
beforeAll(async () => {
  model = await startScriptedModel({ listen: { port: 0 }, directives: true, wordDelayMs: 0 });
});
afterAll(() => model.close());
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'demo-'));
  execFileSync('git', ['init', '-q'], { cwd });
  writeFileSync(join(cwd, 'README.md'), '# Weather\n\nTells the weather.\n');
  writeFileSync(join(cwd, 'package.json'), '{"name":"weather","scripts":{"test":"echo tested"}}');
});

afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const ask = (message: string, onPermission?: PermissionAnswer, args: string[] = []): Promise<ClaudeRun> =>
  runClaude({ url: model.url, cwd, messages: [message], args, ...(onPermission ? { onPermission } : {}) });
const deny: PermissionAnswer = () => ({ behavior: 'deny', message: 'Denied by a person: not now' });
const file = (name: string): string => readFileSync(join(cwd, name), 'utf8');
const toolsOf = (run: ClaudeRun): string[] =>
  run.lines.flatMap((line) => {
    const content =
      line.type === 'assistant' && line['parent_tool_use_id'] === null
        ? (line['message'] as { content: { type: string; name?: string }[] }).content
        : [];
    return content.flatMap((block) => (block.type === 'tool_use' ? [block.name ?? ''] : []));
  });
const completed = expect.objectContaining({ subtype: 'success', is_error: false, terminal_reason: 'completed' });

withClaude('the demo, acted out by the real program', () => {
  it('explains the project from files that it read', async () => {
    const run = await ask('explain this project');
    expect(run.result).toEqual(completed);
    expect(toolsOf(run)).toEqual(['Bash', 'Read', 'Read']);
    expect(finalText(run)).toMatch(/## Weather\n\nTells the weather\.[\s\S]*npm run test/);
  });

  it('creates a file that is really there, and leaves an existing one alone', async () => {
    expect((await ask('create a file called hello.py')).result).toEqual(completed);
    expect(execFileSync('python3', ['hello.py', 'you'], { cwd, encoding: 'utf8' })).toBe('Hello, you!\n');
    writeFileSync(join(cwd, 'hello.py'), 'mine');
    expect((await ask('create a file called hello.py')).result).toEqual(completed);
    expect(file('hello.py')).toBe('mine');
    expect(existsSync(join(cwd, 'hello-2.py'))).toBe(true);
  });

  it('answers by the schema that a message brings', async () => {
    const schema = { type: 'object', properties: { files: { type: 'array', items: { type: 'string' } } } };
    const run = await ask('Which files are there?', undefined, ['--json-schema', JSON.stringify(schema)]);
    expect(run.result).toEqual(completed);
    expect(run.result).toMatchObject({ structured_output: { files: ['example'] } });
  });

  it('edits a file that really changes', async () => {
    expect((await ask('edit the README')).result).toEqual(completed);
    expect(file('README.md')).toBe('# Weather\n\n> The demo model was here.\n\nTells the weather.\n');
    expect((await ask('replace "Tells" with "Knows" in README.md')).result).toEqual(completed);
    expect(file('README.md')).toContain('Knows the weather.');
  });

  it('runs a command only when it is allowed to', async () => {
    const run = await ask('run `echo written > out.txt && cat out.txt`');
    expect(run.asked.map(({ tool }) => tool)).toEqual(['Bash']);
    expect(finalText(run)).toMatch(/ran to its end. It printed:\n\n```\nwritten\n```/);
    const refused = await ask('run `touch other.txt`', deny);
    expect(refused.result).toEqual(completed);
    expect(finalText(refused)).toMatch(/not allowed, so nothing was run/);
    expect([existsSync(join(cwd, 'out.txt')), existsSync(join(cwd, 'other.txt'))]).toEqual([true, false]);
  });

  it('tells a command that failed from one that went well', async () => {
    expect(finalText(await ask('run a command that fails'))).toMatch(/The command failed[\s\S]*No such file/);
    expect(finalText(await ask('run the tests'))).toMatch(/tested/);
  });

  it('works off a task list', async () => {
    const run = await ask('make a task list');
    expect(run.result).toEqual(completed);
    expect(toolsOf(run).filter((name) => name === 'TaskUpdate')).toHaveLength(6);
    expect(finalText(run)).toMatch(/All three tasks are done/);
  });

  it('plans first, asks, and carries out only what was approved', async () => {
    const approved = await ask('improve this', undefined, ['--permission-mode', 'plan']);
    expect(approved.asked.map(({ tool }) => tool)).toEqual(['ExitPlanMode', 'Write']);
    expect(existsSync(join(cwd, 'plan-demo.md'))).toBe(true);
    const rejected = await ask('improve this', deny, ['--permission-mode', 'plan']);
    expect(rejected.asked.map(({ tool }) => tool)).toEqual(['ExitPlanMode']);
    expect(finalText(rejected)).toMatch(/not approved, so nothing was changed/);
  });

  it('asks a question and continues with the answer', async () => {
    const answer: PermissionAnswer = (_tool, input) => {
      const [question] = input['questions'] as { question: string }[];
      return { behavior: 'allow', updatedInput: { ...input, answers: { [question?.question ?? '']: 'A web page' } } };
    };
    expect(finalText(await ask('ask me a question', answer))).toMatch(/^\*\*A web page\*\* it is/);
  });

  it('hands work to a sub-agent and reads its report', async () => {
    const run = await ask('use a sub-agent');
    expect(toolsOf(run)).toEqual(['Agent']);
    expect(finalText(run)).toMatch(/The second agent is back[\s\S]*Weather/);
  });

  it.each([
    ['hello', /demo model/],
    ['think step by step', /five cents/],
    ['show me markdown', /\| Part \| Does \|/],
    ['count to 30', /29, 30\.\n\nThat was all/],
    ['find "weather"', /package\.json/],
  ])('answers %j', async (message, expected) => {
    const run = await ask(message);
    expect(run.result).toEqual(completed);
    expect(finalText(run)).toMatch(expected);
  });

  it('fails when it is asked to, at once and in words', async () => {
    const run = await ask('fail');
    expect(run.result).toMatchObject({ is_error: true, terminal_reason: 'api_error', api_error_status: 400 });
    expect(run.lines.filter((line) => line.subtype === 'api_retry')).toEqual([]);
    expect(finalText(run)).toMatch(/failed on purpose/);
  });

  it('continues where it was when the session is resumed by another process', async () => {
    const configDir = mkdtempSync(join(tmpdir(), 'claude-config-'));
    const first = await runClaude({ url: model.url, cwd, configDir, messages: ['hello', 'edit the README'] });
    const id = String(first.result?.['session_id']);
    const second = await runClaude({
      url: model.url,
      cwd,
      configDir,
      messages: ['something else'],
      args: ['--resume', id],
    });
    expect(finalText(second)).toMatch(/^You wrote: “something else”/);
  });
});

withClaude('the default prices', () => {
  it.each(['opus', 'sonnet', 'haiku'])('are what the program reports for %s', async (alias) => {
    const usages = [
      ['input=100000', { inputTokens: 100_000 }],
      ['output=10000', { outputTokens: 10_000 }],
      ['cache_read=90000', { cacheReadTokens: 90_000 }],
      ['cache_write_5m=70000', { cacheWrite5mTokens: 70_000 }],
      ['cache_write_1h=70000', { cacheWrite1hTokens: 70_000 }],
      ['cache_write=70000', { cacheWrite5mTokens: 70_000 }],
      ['searches=3', { webSearches: 3 }],
      ['input=60000 cache_read=60000 output=500', { inputTokens: 60_000, cacheReadTokens: 60_000, outputTokens: 500 }],
    ] as const;
    const run = await runClaude({
      url: model.url,
      cwd,
      messages: usages.map(([text]) => `[[usage ${text}]]`),
      args: ['--model', alias],
      environment: { DISABLE_COMPACT: '1' },
    });
    const reported = run.lines
      .filter((line) => line.type === 'result')
      .flatMap((line) =>
        Object.entries(line['model_usage_since_last_result'] as Record<string, { costUSD: number }>).map(
          ([name, { costUSD }]) => ({ name, costUSD }),
        ),
      );
    expect(reported).toHaveLength(usages.length);
    for (const [index, [, over]] of usages.entries()) {
      const { name = '', costUSD = NaN } = reported[index] ?? {};
      const { costUsd, price } = costOfRequest(DEFAULT_PRICES, {
        model: name,
        usage: { ...EMPTY_PRICED_USAGE, ...over },
        at: new Date(),
      });
      expect([over, Number(costUsd)]).toEqual([over, Number(costUSD.toFixed(10))]);
      expect(price?.model).toMatch(name);
      expect(findPrice(DEFAULT_PRICES, alias, new Date())).toMatchObject({ model: alias });
    }
  });
});
