import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeLaunch } from './launch-text.mjs';

describe('describeLaunch', () => {
  const turn = {
    id: 'turn_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    sessionId: 'sess_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    attempt: 2,
    status: 'completed',
    model: 'claude-opus-4-5',
    claudeVersion: '2.1.332',
    launch: JSON.stringify({
      program: 'claude',
      args: [
        '-p',
        '--setting-sources',
        '',
        '--append-system-prompt-file',
        '/opt/chirality/prompt.md',
        '--resume',
        'a-b-c',
        '--tools',
        "Read,it's",
        '--model',
        'a b$(c)',
      ],
      environment: [
        'PATH',
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_UNIX_SOCKET',
        'DISABLE_TELEMETRY',
        'NPM_TOKEN',
        'CLAUDE_CONFIG_DIR',
      ],
      promptHash: 'abc',
    }),
  };
  /** @type {string} */
  let directory;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /**
   * Runs it with a program that says what it was given.
   * @param {NodeJS.ProcessEnv} env
   */
  function run(env) {
    const program = join(directory, 'claude');
    writeFileSync(
      program,
      '#!/bin/sh\nread -r line\nprintf "%s\\n" "$line"\nprintf "[%s]" "$@"\nprintf "\\n"\nenv | sort\n',
      { mode: 0o755 },
    );
    const script = describeLaunch(turn);
    const [message = '', words, ...variables] = execFileSync('/bin/sh', ['-eu', '-c', script], {
      env: { PATH: process.env.PATH, CLAUDE: program, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
      .toString()
      .trimEnd()
      .split('\n');
    return { message: JSON.parse(message), words, variables };
  }

  it('can be run as it is, with exactly these arguments, on a new conversation', () => {
    const { message, words } = run({ ANTHROPIC_API_KEY: 'sk', PROMPT: '/tmp/p.md', MESSAGE: `it's "it"` });
    expect(words).toBe(
      "[-p][--setting-sources][][--append-system-prompt-file][/tmp/p.md][--tools][Read,it's][--model][a b$(c)]",
    );
    expect(message).toEqual({ type: 'user', message: { role: 'user', content: `it's "it"` } });
  });

  it('gives the variables that the turn had, without the way into the sandbox, and takes secrets from the shell', () => {
    const { variables } = run({ ANTHROPIC_API_KEY: 'sk', NPM_TOKEN: 'mine', OTHER: 'x', CONFIG: directory });
    const own = variables.filter((line) => !/^(PWD|OLDPWD|SHLVL|_|PATH)=/.test(line));
    expect(own).toEqual([
      'ANTHROPIC_API_KEY=sk',
      `CLAUDE_CONFIG_DIR=${directory}`,
      'DISABLE_TELEMETRY=1',
      'NPM_TOKEN=mine',
    ]);
  });

  it('takes a variable from the shell that has the name of something else in JavaScript', () => {
    const launch = JSON.stringify({ ...JSON.parse(turn.launch), environment: ['constructor'] });
    expect(describeLaunch({ ...turn, launch })).toContain('  constructor="${constructor:-}" \\\n');
  });

  it('says what is missing when there is no key', () => {
    expect(() => run({})).toThrow(/set it to a key of the model service/);
  });

  it('runs nothing that the program called its model or its conversation', () => {
    const model = 'claude\ntouch planted-by-model\n';
    const launch = JSON.stringify({
      ...JSON.parse(turn.launch),
      args: ['--resume', 'a\r\ntouch planted-by-conversation'],
    });
    const lines = describeLaunch({ ...turn, model, launch }).split(/\r?\n/);
    expect(lines.filter((line) => line.includes('planted') && !line.startsWith('#'))).toEqual([]);
  });

  it('names the turn, its versions and its conversation', () => {
    const text = describeLaunch(turn);
    expect(text).toContain(
      '# turn_01ARZ3NDEKTSV4RRFFQ69G5FAV of sess_01ARZ3NDEKTSV4RRFFQ69G5FAV, attempt 2, completed\n# claude 2.1.332, model claude-opus-4-5\n',
    );
    expect(text).toContain('# It continued the conversation a-b-c; here it begins a new one.\n');
  });
});
