import type { PullRequestCheck, PullRequestReview } from '@chirality/contracts';
import { cutText, headOf, maskText, tailOf } from '@chirality/domain';

const MAX_CHECKS = 100;
export const MAX_REVIEWS = 200;
/** Logs of failed checks that are fetched; the others have none. */
export const MAX_LOGS = 8;
const MAX_LOG_CHARS = 16_000;
const MAX_BODY_CHARS = 8_000;
const MAX_NAME_CHARS = 200;
const MAX_PATH_CHARS = 1_000;
const MAX_URL_CHARS = 2_000;

/** ESC and what it begins: colours, cursor movements, titles of terminals, links. */
const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(0x07);
const TERMINAL = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|[@-Z\\\\-_])`,
  'g',
);

/**
 * Text of several lines without what would steer a terminal, and without what is invisible or reorders what is read.
 */
function textOfHost(text: string): string {
  return text
    .replace(TERMINAL, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu, '')
    .toWellFormed();
}

export const nameOfHost = (text: string): string => cutText(lineOf(text), MAX_NAME_CHARS);
const bodyOfHost = (text: string): string =>
  maskText(cutText(textOfHost(headOf(text, MAX_BODY_CHARS * 4)).trim(), MAX_BODY_CHARS));
/** The end of a log, from the beginning of a line. */
function logTailOf(text: string): string {
  const log = textOfHost(tailOf(text, MAX_LOG_CHARS * 4)).trimEnd();
  const tail = tailOf(log, MAX_LOG_CHARS);
  return maskText(tail.length < log.length ? tail.slice(tail.indexOf('\n') + 1) : tail);
}

/** An address that a person may click; null for any other. */
export function urlOfHost(text: string | null | undefined): string | null {
  if (typeof text !== 'string' || text.length > MAX_URL_CHARS || !URL.canParse(text)) return null;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === ''
    ? url.href
    : null;
}

type RawCheck = { name: string; status: PullRequestCheck['status']; url: string | null; log?: string | null };

export function checkOfHost({ name, status, url, log }: RawCheck): PullRequestCheck {
  const logTail = status === 'failed' && log ? logTailOf(log) : '';
  return { name: nameOfHost(name), status, url: urlOfHost(url), ...(logTail === '' ? {} : { logTail }) };
}

type RawReview = Pick<PullRequestReview, 'id' | 'author' | 'body' | 'state'> & {
  path?: string | null;
  line?: number | null;
};

export function reviewOfHost({ id, author, path, line, body, state }: RawReview): PullRequestReview {
  return {
    id,
    author: nameOfHost(author),
    ...(path ? { path: cutText(lineOf(path), MAX_PATH_CHARS) } : {}),
    ...(path && typeof line === 'number' && line > 0 ? { line } : {}),
    body: bodyOfHost(body),
    state,
  };
}

/** Each name once: a person chooses checks by their names. */
export function withDistinctNames(checks: readonly PullRequestCheck[]): PullRequestCheck[] {
  const seen = new Map<string, number>();
  return checks.slice(0, MAX_CHECKS).map((check) => {
    const before = seen.get(check.name) ?? 0;
    seen.set(check.name, before + 1);
    return before === 0 ? check : { ...check, name: `${check.name} (${before + 1})` };
  });
}

function lineOf(text: string): string {
  return textOfHost(headOf(text, MAX_URL_CHARS * 2))
    .replace(/\s+/g, ' ')
    .trim();
}
