/** What a model key is sealed for (the `aad` of SecretBox): a sealed value moved to another key's row does not open. */
export function modelKeySealOf(keyId: string): string {
  return `model-key:${keyId}`;
}

const FORM = /^[\w.~+/=:@-]{16,512}$/;
const ANTHROPIC = /^sk-ant-[\w-]{20,500}$/;

/** What these prefixes stand for, and why they are no key to pay with. */
const OTHERS: readonly [prefix: string, sentence: string][] = [
  ['sk-ant-oat', 'This is a token of a Claude subscription. Use an API key of the Claude Console, which begins with sk-ant-api.'],
  ['sk-ant-ort', 'This is a token of a Claude subscription. Use an API key of the Claude Console, which begins with sk-ant-api.'],
  ['sk-ant-admin', 'This is an admin key, which cannot ask a model. Use an API key of the Claude Console, which begins with sk-ant-api.'],
  ['chirality-', 'This is a token of Chirality itself. Use an API key of the model’s service.'],
];

/**
 * Why a value cannot be a key of the model's service, in a sentence that does not quote it; null when it can.
 * `anthropic`: the service is Anthropic's own, whose keys have a form of their own.
 */
export function modelKeyFault(value: string, { anthropic }: { anthropic: boolean }): string | null {
  const other = OTHERS.find(([prefix]) => value.startsWith(prefix));
  if (other) return other[1];
  if (anthropic && !ANTHROPIC.test(value)) return 'This is not an API key of Anthropic: those begin with sk-ant-. Copy it again from the Claude Console, whole and without spaces.';
  if (!FORM.test(value)) return 'This is not a key: it needs 16 to 512 letters, digits or signs, without spaces. Copy it again, whole.';
  return null;
}

/** The last four characters, to tell keys apart; null where that would tell too much of a short one. */
export function modelKeyHint(value: string): string | null {
  return value.length >= 32 ? value.slice(-4) : null;
}
