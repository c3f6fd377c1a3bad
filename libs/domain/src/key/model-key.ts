/** What a model key is sealed for (the `aad` of SecretBox): a sealed value moved to another key's row does not open. */
export function modelKeySealOf(keyId: string): string {
  return `model-key:${keyId}`;
}

const FORM = /^[\w.~+/=:@-]{16,512}$/;
const ANTHROPIC = /^sk-ant-[\w-]{20,500}$/;
const MAX_CHARS = 512;
const MIN_ANTHROPIC_CHARS = 27;

const CONSOLE = 'Use an API key from the Claude Console, which starts with sk\u2011ant\u2011api.';

/** What these prefixes stand for, and why they are no key to pay with. */
const OTHERS: readonly [prefix: string, sentence: string][] = [
  ['sk-ant-oat', `This is a token of a Claude subscription. ${CONSOLE}`],
  ['sk-ant-ort', `This is a token of a Claude subscription. ${CONSOLE}`],
  ['sk-ant-admin', `This is an admin key, which cannot send messages to a model. ${CONSOLE}`],
  ['chirality-', 'This is a token of Chirality itself. Use an API key of the model’s service.'],
];

/** How other providers' keys start. They matter only where the service is Anthropic's own. */
const PROVIDERS: readonly [pattern: RegExp, name: string][] = [
  [/^sk-or-/, 'OpenRouter'],
  [/^sk-(proj|svcacct|admin|None)-/, 'OpenAI'],
  [/^sk-[A-Za-z0-9]{20}T3BlbkFJ/, 'OpenAI'],
  [/^AIza/, 'Google'],
  [/^gsk_/, 'Groq'],
  [/^xai-/, 'xAI'],
  [/^pplx-/, 'Perplexity'],
  [/^hf_/, 'Hugging Face'],
  [/^(AKIA|ASIA|ABSK)/, 'Amazon Web Services'],
  [/^(ghp|gho|ghs|github_pat)_/, 'GitHub'],
];

/** Characters without a width and the byte order mark, which pages and documents put into what is copied from them. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const QUOTES = /^(["'`“”‘’«»])(.*)(["'`“”‘’«»]);?$/s;
/** How a key stands in a shell, in a file of variables and in a request. */
const ASSIGNMENT = /^(?:export\s+|set\s+|\$env:)?[A-Za-z_][A-Za-z0-9_]*\s*=\s*/;
const HEADER = /^(?:(?:authorization\s*:\s*)?bearer\s+|x-api-key\s*:\s*)/i;

/** The key in pasted text: without what surrounds it in a shell, a file or a page. */
export function readPastedKey(pasted: string): string {
  let value = pasted.replace(INVISIBLE, '').trim();
  for (const [pattern, kept] of [
    [HEADER, ''],
    [ASSIGNMENT, ''],
    [QUOTES, '$2'],
    [HEADER, ''],
  ] as const)
    value = value.replace(pattern, kept).trim();
  return value.replace(/[;,]$/, '');
}

/**
 * Why a value cannot be a key of the model's service, in a sentence that does not quote it; null when it can.
 * `anthropic`: the service is Anthropic's, whose keys have a known form.
 */
export function modelKeyFault(value: string, { anthropic }: { anthropic: boolean }): string | null {
  const other = OTHERS.find(([prefix]) => value.startsWith(prefix));
  if (other) return other[1];
  if (value === '') return 'There is no key in what you pasted.';
  if (/[\r\n]/.test(value)) return 'This is more than one line. Paste the key alone.';
  if (/\s/.test(value)) return 'There is a space inside the key. Copy it again.';
  if (/[^\x21-\x7e]/.test(value))
    return 'This has letters that only look like those of a key. Copy the key again instead of typing it.';
  if (value.length > MAX_CHARS) return `This is too long for a key: ${value.length} characters. Paste the key alone.`;
  if (anthropic) return anthropicFault(value);
  return FORM.test(value)
    ? null
    : 'This is not a key: it needs 16 to 512 letters, digits or signs. Copy the whole key again.';
}

function anthropicFault(value: string): string | null {
  const provider = PROVIDERS.find(([pattern]) => pattern.test(value));
  if (provider) return `This is a key from ${provider[1]}. ${CONSOLE}`;
  if (!value.startsWith('sk-ant-')) return `Not an Anthropic API key. ${CONSOLE}`;
  if (value.length < MIN_ANTHROPIC_CHARS)
    return `This key is incomplete: it has only ${value.length} characters. Copy the whole key again.`;
  return ANTHROPIC.test(value) ? null : 'This key has characters that no Anthropic API key has. Copy it again.';
}

/** The last four characters, to tell keys apart; null where that would tell too much of a short one. */
export function modelKeyHint(value: string): string | null {
  return value.length >= 32 ? value.slice(-4) : null;
}
