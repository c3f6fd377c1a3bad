import { modelKeyFault, modelKeyHint, readPastedKey } from './model-key';

const KEY = `sk-ant-api03-${'aB3_-'.repeat(16)}`;

describe('the form of a key', () => {
  it('is that of Anthropic’s where that is the service, and wider elsewhere', () => {
    expect(modelKeyFault(KEY, { anthropic: true })).toBeNull();
    expect(modelKeyFault('proxy-key-of-the-house', { anthropic: true })).toMatch('Not an Anthropic API key');
    expect(modelKeyFault('proxy-key-of-the-house', { anthropic: false })).toBeNull();
  });

  it.each([
    ['a token of a subscription', `sk-ant-oat01-${'x'.repeat(40)}`],
    ['an admin key', `sk-ant-admin01-${'x'.repeat(40)}`],
    ['a token of a turn', `chirality-turn-${'x'.repeat(40)}`],
    ['something short', 'sk-ant-123'],
    ['something with a space', `sk-ant-api03-${'x'.repeat(20)} ${'y'.repeat(20)}`],
    ['something with a line break, which a header cannot carry', `sk-ant-api03-${'x'.repeat(20)}\nx-other: 1`],
    ['something with letters that a header cannot carry', `sk-ant-api03-${'ü'.repeat(40)}`],
    ['something endless', `sk-ant-api03-${'x'.repeat(600)}`],
  ])('is not %s; and what is refused is not quoted', (_what, value) => {
    for (const anthropic of [true, false]) {
      const fault = modelKeyFault(value, { anthropic });
      expect(fault).not.toBeNull();
      expect(fault ?? '').not.toContain(value.slice(8));
    }
  });

  it('shows its end only where that tells nothing', () => {
    expect(modelKeyHint(KEY)).toBe('B3_-');
    expect(modelKeyHint('short-key-of-house')).toBeNull();
  });
});

describe('a key that was pasted badly', () => {
  it.each([
    ['a line break', `${KEY}\n`],
    ['spaces and a carriage return', `  ${KEY} \r\n`],
    ['quotes', `"${KEY}"`],
    ['quotes of a word processor', `“${KEY}”`],
    ['a shell’s export', `export ANTHROPIC_API_KEY=${KEY}`],
    ['an export with quotes and a semicolon', `export ANTHROPIC_API_KEY='${KEY}';`],
    ['a line of a file of variables', `ANTHROPIC_API_KEY = "${KEY}"\n`],
    ['PowerShell', `$env:ANTHROPIC_API_KEY="${KEY}"`],
    ['a header', `x-api-key: ${KEY}`],
    ['a bearer token', `Authorization: Bearer ${KEY}`],
    ['characters without a width', `\u200b${KEY.slice(0, 20)}\ufeff${KEY.slice(20)}\u2060`],
  ])('is taken without %s', (_what, pasted) => {
    expect(readPastedKey(pasted)).toBe(KEY);
    expect(modelKeyFault(readPastedKey(pasted), { anthropic: true })).toBeNull();
  });

  it.each([
    ['only quotes', '""', 'no key'],
    ['a line break inside', `${KEY.slice(0, 40)}\n${KEY.slice(40)}`, 'more than one line'],
    ['a space inside', `${KEY.slice(0, 40)} ${KEY.slice(40)}`, 'space inside'],
    ['Cyrillic look-alikes', KEY.replace('a', 'а'), 'only look like'],
    ['a short end', 'sk-ant-wrong-key-123', 'incomplete: it has only 20 characters'],
    ['ten thousand characters', `sk-ant-api03-${'x'.repeat(10_000)}`, 'too long'],
    ['OpenAI’s form', `sk-proj-${'x'.repeat(60)}`, 'from OpenAI'],
    ['OpenRouter’s form', `sk-or-v1-${'a'.repeat(64)}`, 'from OpenRouter'],
    ['Google’s form', `AIza${'x'.repeat(35)}`, 'from Google'],
    ['GitHub’s form', `ghp_${'x'.repeat(36)}`, 'from GitHub'],
    ['a sign that no key has', `sk-ant-api03-${'x'.repeat(30)}%`, 'characters that no Anthropic'],
  ])('with %s is denied with the reason, which does not quote it', (_what, pasted, reason) => {
    const value = readPastedKey(pasted);
    const fault = modelKeyFault(value, { anthropic: true }) ?? '';
    expect(fault).toContain(reason);
    if (value.length > 12) expect(fault).not.toContain(value.slice(0, 12));
  });
});
