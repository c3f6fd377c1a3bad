import { join } from 'node:path';
import { fakeClaude, installFakeClaude, readFakeClaudeLog } from '@chirality/testing';
import { CLAUDE_PROGRAM, claudeProgram } from '../src/harness/claude-code/claude-program';
import { readClaudeVersion } from '../src/harness/claude-code/claude-version';
import { INSIDE } from '../src/sandbox/inside-paths';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from './sandbox-host';

describeAsOrdinaryUser('the stand-in for claude inside the sandbox', () => {
  let host: SandboxHost;

  beforeEach(() => (host = makeSandboxHost()));
  afterEach(() => host.remove());

  it('plays its script where it sees nothing but itself, its workspace and its configuration', async () => {
    const turn = fakeClaude()
      .init()
      .step({ do: 'writeFile', path: 'made.txt', text: 'by the turn' })
      .streamText('m1', ['Hel', 'lo'])
      .result();
    const claudePath = await installFakeClaude(join(host.directory, 'bin'), { turns: [turn.steps] });
    const sandbox = host.another({ program: claudeProgram(claudePath) });
    const result = await sandbox.run({
      profile: 'agent',
      paths: host.paths,
      command: [CLAUDE_PROGRAM, '-p', '--resume', 's1'],
      env: { CLAUDE_CONFIG_DIR: INSIDE.config },
      stdin: `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'hello' } })}\n`,
      maxOutputBytes: 1024 * 1024,
      timeoutMs: 30_000,
    });
    const records = result.stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([result.code, result.stderr.toString()]).toEqual([0, '']);
    expect(records.at(0)).toMatchObject({ subtype: 'init', cwd: INSIDE.workspace, session_id: 's1' });
    expect(records.at(-1)).toMatchObject({ type: 'result', result: 'Hello' });
    expect(await host.text('cat made.txt')).toBe('by the turn');
    const log = await readFakeClaudeLog(join(host.paths.config, 'fake-claude.log'));
    expect(log.map(({ what }) => what)).toEqual(['start', 'stdin', 'stdin-end', 'exit']);
    expect(await readClaudeVersion(sandbox)).toBe('2.1.332');
  }, 60_000);
});
