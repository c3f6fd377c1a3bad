import { PASSWORD_MIN_CHARS } from '@chirality/contracts';

/** Whose password it will be. Anyone who guesses knows both. */
export type PasswordOwner = { email: string; name: string };

/** Guesses of 1e8 and more: out of reach for an attacker who has to ask the server each time. */
const MIN_SCORE = 3;
/** The time of an estimate grows faster than the password; what is strong is so within this many characters. */
const MAX_ESTIMATED_CHARS = 64;
/** Shorter words of a name or an address occur in too many other words. */
const MIN_WORD_CHARS = 4;
/** What is left of a password besides its owner's name may be a year or an ornament, and must be more than that. */
const MIN_OWN_LETTERS = 6;
const PRODUCT_WORDS = ['chirality', 'claude', 'anthropic'];

const COMMON = 'This is one of the most common passwords. Choose another one.';
const WEAK = 'This password is too easy to guess. Make it longer, for example with a few unrelated words.';

/**
 * Why a new password cannot be used, as a sentence for its field; null when it can. The estimate and its lists of
 * common passwords and words are loaded by the first call.
 */
export async function passwordFault(password: string, owner: PasswordOwner): Promise<string | null> {
  if (password.length < PASSWORD_MIN_CHARS) return `Use at least ${PASSWORD_MIN_CHARS} characters.`;
  const words = wordsOf(owner);
  if (isMostlyOwnName(password, words)) return 'Do not use your name or e-mail address in your password.';
  const estimator = await loadEstimator();
  const { score, feedback } = estimator.check(
    password.slice(0, MAX_ESTIMATED_CHARS),
    [owner.email, owner.name, ...words, ...PRODUCT_WORDS].filter((word) => word !== ''),
  );
  if (score >= MIN_SCORE) return null;
  return feedback.warning !== null && /^(topTen|topHundred|common|similarToCommon)$/.test(feedback.warning)
    ? COMMON
    : WEAK;
}

type Estimator = {
  check(password: string, userInputs: string[]): { score: number; feedback: { warning: string | null } };
};

let loading: Promise<Estimator> | null = null;

function loadEstimator(): Promise<Estimator> {
  loading ??= Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]).then(
    ([{ ZxcvbnFactory }, common, english]) =>
      new ZxcvbnFactory({
        dictionary: { ...common.dictionary, ...english.dictionary },
        graphs: common.adjacencyGraphs,
      }),
  );
  // A part that could not be loaded is asked for again the next time.
  loading.catch(() => (loading = null));
  return loading;
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');

function wordsOf({ email, name }: PasswordOwner): string[] {
  const [local = '', domain = ''] = email.split('@');
  const parts = [local, domain, name].flatMap((text) => [lettersOf(text), ...text.split(/[^\p{L}]+/u).map(lettersOf)]);
  return [...new Set(parts)].filter((word) => word.length >= MIN_WORD_CHARS).sort((a, b) => b.length - a.length);
}

function isMostlyOwnName(password: string, words: readonly string[]): boolean {
  const letters = lettersOf(password);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), letters);
  return rest.length < letters.length && rest.length < MIN_OWN_LETTERS;
}
