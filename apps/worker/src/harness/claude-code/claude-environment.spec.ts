import { WATCHDOG_LIMITS } from '../../outcome/turn-watchdog';
import { claudeEnvironment } from './claude-environment';

const environment = claudeEnvironment({ gatewayToken: 'token', author: { name: 'Anna', email: 'anna@example.com' } });

describe('the environment of claude', () => {
  it('ends a command before the silence of it would end the turn', () => {
    expect(Number(environment['BASH_MAX_TIMEOUT_MS'])).toBeLessThan(WATCHDOG_LIMITS.silenceMs);
  });

  it('keeps tasks in the background, mentions of files and traffic to others off', () => {
    expect(environment).toMatchObject({
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    });
  });

  it('does not let the program replace an older model by its newest one', () => {
    expect(environment['CLAUDE_CODE_DISABLE_LEGACY_MODEL_REMAP']).toBe('1');
  });

  it('holds no secret but the token of its gateway', () => {
    const named = Object.keys(environment).filter((name) =>
      /SECRET|PASSWORD|CREDENTIAL|KEY|TOKEN|DATABASE_URL|REDIS_URL/.test(name),
    );
    const settingsOfGit = named.filter((name) => /^GIT_CONFIG_KEY_\d$/.test(name));
    expect(settingsOfGit.map((name) => environment[name])).toEqual([
      'core.fsmonitor',
      'diff.autoRefreshIndex',
      'log.showSignature',
    ]);
    expect(named.filter((name) => !settingsOfGit.includes(name))).toEqual(['ANTHROPIC_API_KEY']);
    expect(environment['ANTHROPIC_API_KEY']).toBe('token');
  });
});
