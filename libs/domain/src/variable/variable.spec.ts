import { maskText } from '../masking';
import { variableMasks } from './variable-masks';
import { whyNoVariableName } from './variable-name';

describe('the name of a project’s variable', () => {
  it.each([
    'NPM_TOKEN',
    'DATABASE_URL',
    'aws_secret_access_key',
    'NODE_ENV',
    'NODE_AUTH_TOKEN',
    'NPM_CONFIG_REGISTRY',
    '_x',
    'GITHUB_TOKEN',
  ])('may be %s', (name) => {
    expect(whyNoVariableName(name)).toBeNull();
  });

  it.each([
    'PATH',
    'Path',
    'HOME',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'GIT_SSH_COMMAND',
    'GIT_CONFIG_COUNT',
    'CLAUDE_CONFIG_DIR',
    'CLAUDECODE',
    'ANTHROPIC_API_KEY',
    'anthropic_base_url',
    'CHIRALITY_EGRESS_TOKEN',
    'BASH_ENV',
    'BASH_FUNC_ls',
    'ENV',
    'IFS',
    'HTTPS_PROXY',
    'no_proxy',
    'PYTHONPATH',
    'PERL5LIB',
    'MCP_TIMEOUT',
    'DISABLE_TELEMETRY',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'SSH_AUTH_SOCK',
  ])('may not be %s, which is reserved', (name) => expect(whyNoVariableName(name)).toMatch(/reserved/));

  it.each(['', '1A', 'A-B', 'A B', 'A=B', 'Ä', 'A\n', 'A'.repeat(65)])('may not be %j', (name) => {
    expect(whyNoVariableName(name)).toMatch(/must be/);
  });
});

describe('the values of variables', () => {
  it('are hidden as they are and as other programs spell them, and nothing else is', () => {
    const value = 'p@ss "word" 42';
    const masks = variableMasks([value, 'first-line\nsecond-line']);
    for (const spelled of [
      value,
      JSON.stringify(value),
      encodeURIComponent(value),
      Buffer.from(value).toString('base64'),
      'first-line',
      'second-line',
    ]) {
      expect(maskText(`x ${spelled} y`, masks)).toContain('«redacted:project-variable»');
      expect(maskText(`x ${spelled} y`, masks)).not.toContain('word" 42');
    }
    expect(maskText('a password of no one', masks)).toBe('a password of no one');
  });

  it('are hidden whole where one begins with another', () => {
    expect(maskText('token-0123456789', variableMasks(['token-01', 'token-0123456789']))).toBe(
      '«redacted:project-variable»',
    );
  });

  it('are hidden whole where they are long', () => {
    const value = Array.from({ length: 32_768 }, (_, at) => String.fromCharCode(97 + ((at * 7 + (at >> 5)) % 26))).join(
      '',
    );
    const masks = variableMasks([value]);
    expect(maskText(`x ${value} y`, masks).replaceAll('«redacted:project-variable»', '').length).toBeLessThan(4 + 8);
    expect(
      maskText(`x ${Buffer.from(value).toString('base64')} y`, masks).replaceAll('«redacted:project-variable»', '')
        .length,
    ).toBeLessThan(4 + 8);
  });

  it('are not hidden where they have fewer than 8 characters', () => {
    expect(variableMasks(['seven77', '', '1'])).toEqual([]);
    expect(maskText('line 1 of seven77', variableMasks(['seven77', '1']))).toBe('line 1 of seven77');
  });
});
