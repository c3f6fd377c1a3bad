import { newGatewayToken } from '../../gateway/gateway-token';
import { claudeProgram } from '../../harness/claude-code/claude-program';
import { sandboxEnvironment } from './sandbox-environment';

const PROGRAM = claudeProgram();

const BASE = {
  PATH: '/opt/claude/bin:/usr/local/bin:/usr/bin:/bin',
  HOME: '/home/agent',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  SHELL: '/bin/bash',
  USER: 'agent',
  LOGNAME: 'agent',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
};

describe('the environment of a sandboxed process', () => {
  it('is built from nothing, whatever this process has', () => {
    process.env['CHIRALITY_CANARY'] = 'canary';
    process.env['ANTHROPIC_CANARY'] = 'canary';
    try {
      expect(sandboxEnvironment(PROGRAM, {})).toEqual(BASE);
    } finally {
      delete process.env['CHIRALITY_CANARY'];
      delete process.env['ANTHROPIC_CANARY'];
    }
  });

  it('takes what is passed, but not over the path of programs', () => {
    const passed = {
      CLAUDE_CONFIG_DIR: '/config',
      CLAUDE_CODE_MAX_RETRIES: '4',
      ANTHROPIC_BASE_URL: 'http://model.gateway',
      GIT_AUTHOR_NAME: 'Ada',
      HOME: '/elsewhere',
      PATH: '/evil',
    };
    expect(sandboxEnvironment(PROGRAM, passed)).toEqual({ ...BASE, ...passed, PATH: BASE.PATH });
  });

  it.each([
    ...[
      'DATABASE_URL',
      'REDIS_URL',
      'SMTP_URL',
      'AWS_SECRET',
      'CLIENT_SECRET',
      'PASSWORD',
      'PGPASSWORD',
      'DB_PASSWORD',
      'X_CREDENTIAL',
      'GOOGLE_CREDENTIALS',
      'OPENAI_API_KEY',
      'aws_secret_access_key',
      'GITHUB_TOKEN',
      'TOKEN',
      'CHIRALITY_SECRET_KEY',
    ],
    ...[
      'CLAUDECODE',
      'CLAUDE_PID',
      'CLAUDE_CODE_ENTRYPOINT',
      'CLAUDE_CODE_SESSION_ID',
      'AI_AGENT',
      'CHIRALITY_DATA_DIR',
    ],
    ...[
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'NODE_OPTIONS',
      'BUN_OPTIONS',
      'BASH_ENV',
      'SSH_AUTH_SOCK',
      'not a name',
      'A=B',
      '',
    ],
  ])('refuses %s even when it is passed', (name) => {
    expect(sandboxEnvironment(PROGRAM, { [name]: 'value' })).toEqual(BASE);
  });

  it('takes what an admin gave to the project, secrets among it, but nothing that shapes the sandbox', () => {
    const given = { NPM_TOKEN: 'npm_0123456789', DATABASE_URL: 'postgres://db' };
    expect(
      sandboxEnvironment(
        PROGRAM,
        { GITHUB_TOKEN: 'passed' },
        {
          ...given,
          PATH: '/evil',
          LD_PRELOAD: 'x.so',
          ANTHROPIC_BASE_URL: 'http://evil',
          HTTPS_PROXY: 'http://evil',
          GIT_DIR: '/x',
          HOLDS_NUL: 'a\0b',
          HOME: '/evil',
        },
      ),
    ).toEqual({ ...BASE, ...given });
    expect(
      sandboxEnvironment(
        PROGRAM,
        { ANTHROPIC_BASE_URL: 'http://model.gateway' },
        { ANTHROPIC_BASE_URL: 'http://evil' },
      ),
    ).toEqual({ ...BASE, ANTHROPIC_BASE_URL: 'http://model.gateway' });
  });

  it("takes the gateway's token for the model's key, and no other value", () => {
    const token = newGatewayToken();
    expect(sandboxEnvironment(PROGRAM, { ANTHROPIC_API_KEY: token })).toEqual({ ...BASE, ANTHROPIC_API_KEY: token });
    expect(
      sandboxEnvironment(PROGRAM, { ANTHROPIC_API_KEY: 'sk-ant-real', ANTHROPIC_AUTH_TOKEN: 'sk-ant-real' }),
    ).toEqual(BASE);
    expect(sandboxEnvironment(PROGRAM, { OTHER_TOKEN: token })).toEqual(BASE);
  });
});
