import { jsonWebToken, runOf, runWithDigit, upToAt, type BodyMatcher } from './body-matchers';
import {
  BASE64,
  charactersIn,
  HEX,
  LETTERS_DIGITS,
  TOKEN,
  UPPER_DIGITS,
  WORD,
  type CharacterSet,
} from './character-set';
import { PRIVATE_KEY_START, privateKeyBody } from './private-key';

/** A secret that is known by its first characters. */
export type SecretRule = {
  kind: string;
  prefix: string;
  body: BodyMatcher;
  /** Characters that still belong to the secret once it is certain; they are dropped. */
  tail: CharacterSet | 'private-key' | null;
  /** True when it also counts in the middle of a word. */
  anywhere?: boolean;
  /** The secret does not begin after one of these. */
  notAfter?: CharacterSet;
  /** What may follow it, as in a list where each key stands beside its secret. */
  followedBy?: ContextRule;
};

/** A secret that is known by the words before it. The words stay, what follows them is masked. */
export type ContextRule = {
  kind: string;
  /** Matches the text up to and with the last character of the words. */
  words: RegExp;
  /** The last letters of the words, lower-case: looked at first, since they are rare and the rest is costly. */
  ending: string;
  /** How far before its last character the words can begin. */
  reach: number;
  separators: CharacterSet;
  minSeparators: number;
  maxSeparators: number;
  body: BodyMatcher;
  tail: CharacterSet | null;
};

const NO_CHARACTERS = charactersIn('');
const BEARER = charactersIn('azAZ09', '-._~+/=');
/** What a password in a URL can be made of. */
export const URL_PASSWORD = charactersIn('azAZ09', '-._~!$&*()+,;=:%');

const AWS_SECRET: ContextRule = {
  kind: 'aws-secret-key',
  words: /secret[_ -]?(?:access[_ -]?)?key$/i,
  ending: 'key',
  reach: 18,
  separators: charactersIn('', ' \t\n\r:=>"\'\\,|'),
  minSeparators: 1,
  maxSeparators: 16,
  body: runOf(BASE64, 40),
  tail: charactersIn('azAZ09', '+/='),
};

export const CONTEXT_RULES: readonly ContextRule[] = [
  {
    kind: 'bearer-token',
    words: /bearer$/i,
    ending: 'earer',
    reach: 6,
    separators: charactersIn('', ' \t\n\r:"\'%\\'),
    minSeparators: 1,
    maxSeparators: 8,
    body: runWithDigit(BEARER, 16, 24),
    tail: BEARER,
  },
  AWS_SECRET,
  {
    kind: 'url-password',
    words: /:\/\/[^\s/:@"'<>`\\]*:$/,
    ending: ':',
    reach: 64,
    separators: NO_CHARACTERS,
    minSeparators: 0,
    maxSeparators: 0,
    body: upToAt(URL_PASSWORD, 200),
    tail: null,
  },
];

const SENDGRID = charactersIn('azAZ09', '_-.');
const SLACK = charactersIn('azAZ09', '-');
const SLACK_HOOK = charactersIn('azAZ09', '/');

function token(kind: string, prefixes: string[], set: CharacterSet, minLength: number): SecretRule[] {
  return prefixes.map((prefix) => ({ kind, prefix, body: runOf(set, minLength), tail: set }));
}

/** Minimal lengths are below the real ones, so that a shortened or newer form is masked too. */
export const SECRET_RULES: readonly SecretRule[] = [
  ...token('aws-access-key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], UPPER_DIGITS, 16).map((rule) => ({
    ...rule,
    followedBy: AWS_SECRET,
  })),
  ...token('github-token', ['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_'], WORD, 20),
  ...token('github-token', ['github_pat_'], WORD, 20),
  ...token('chirality-token', ['chi_'], LETTERS_DIGITS, 20),
  ...token('gitlab-token', ['glpat-', 'gldt-', 'glrt-'], TOKEN, 16),
  ...token('anthropic-key', ['sk-ant-'], TOKEN, 16),
  { kind: 'openai-key', prefix: 'sk-', body: runWithDigit(TOKEN, 20, 48), tail: TOKEN },
  ...token('google-key', ['AIza'], TOKEN, 30),
  ...token('google-key', ['GOCSPX-', 'ya29.'], TOKEN, 20),
  ...token(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxe-', 'xoxe.xoxp-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    SLACK,
    10,
  ),
  ...token('slack-webhook', ['hooks.slack.com/services/'], SLACK_HOOK, 20),
  ...token('stripe-key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'], LETTERS_DIGITS, 16),
  ...token('npm-token', ['npm_'], LETTERS_DIGITS, 30),
  ...token('pypi-token', ['pypi-'], TOKEN, 40),
  ...token('huggingface-token', ['hf_'], LETTERS_DIGITS, 30),
  ...token('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], HEX, 40),
  ...token('sendgrid-key', ['SG.'], SENDGRID, 50),
  ...token('groq-key', ['gsk_'], LETTERS_DIGITS, 30),
  ...token('xai-key', ['xai-'], LETTERS_DIGITS, 30),
  {
    kind: 'jwt',
    prefix: 'eyJ',
    body: jsonWebToken,
    tail: charactersIn('azAZ09', '_-.'),
    notAfter: charactersIn('', '_-'),
  },
  { kind: 'private-key', prefix: PRIVATE_KEY_START, body: privateKeyBody, tail: 'private-key', anywhere: true },
];
