import { NO_SECRET, UNDECIDED, type BodyMatcher } from './body-matchers';
import { BASE64, charactersIn, contains, endOfRun } from './character-set';

/** A line of a key is longer than any word of prose. */
const MIN_LINE_LENGTH = 32;
/** Line numbers, headers and quotes that may stand between two lines of a key. */
const MAX_GAP_LENGTH = 256;
const MAX_LAST_LINE_LENGTH = 100;
const LABEL = charactersIn('AZ09', ' ');
const MAX_LABEL_LENGTH = 60;
const DASH = 45;
const DASHES = '-----';
const END = '-----END ';

export const PRIVATE_KEY_START = '-----BEGIN ';

/**
 * The rest of a PEM private key up to where it is certain that key material follows: the label, then a line of the
 * key or the closing line. A text that only mentions the opening line is no key.
 */
export const privateKeyBody: BodyMatcher = (text, from) => {
  const labelEnd = endOfRun(LABEL, text, from, Math.min(text.length, from + MAX_LABEL_LENGTH));
  if (labelEnd === text.length) return labelEnd - from < MAX_LABEL_LENGTH ? UNDECIDED : NO_SECRET;
  if (!isPrivate(text.slice(from, labelEnd))) return NO_SECRET;
  const dashes = text.slice(labelEnd, labelEnd + DASHES.length);
  if (!DASHES.startsWith(dashes)) return NO_SECRET;
  if (dashes !== DASHES) return UNDECIDED;
  const progress = nextKeyLine(text, labelEnd + DASHES.length);
  return progress.found === 'nothing' ? (progress.certain ? NO_SECRET : UNDECIDED) : progress.end;
};

/**
 * Drops the material of a key whose start was found, over any number of chunks. Ends at the closing line, or where
 * nothing like a line of a key has come for a while; what came since then is given back.
 */
export class PrivateKeyDrop {
  private inLine = true;

  /** `rest`: the index from which the text must be seen again, or null when the key may still continue from `kept`. */
  push(text: string): { rest: number } | { rest: null; kept: number } {
    let at = 0;
    if (this.inLine) {
      at = endOfRun(BASE64, text, 0);
      if (at === text.length) return { rest: null, kept: at };
      this.inLine = false;
    }
    for (;;) {
      const progress = nextKeyLine(text, at);
      if (progress.found === 'end') return { rest: progress.end };
      if (progress.found === 'nothing')
        return progress.certain ? { rest: afterLastLine(text, at) } : { rest: null, kept: at };
      at = endOfRun(BASE64, text, progress.end);
      if (at === text.length) {
        this.inLine = true;
        return { rest: null, kept: at };
      }
    }
  }

  /** The block ended inside the key: how much of the kept text may have been its last, shorter line. */
  static finish(kept: string): number {
    return afterLastLine(kept, 0);
  }
}

type Progress = { found: 'line' | 'end'; end: number } | { found: 'nothing'; certain: boolean };

/** The next line of a key, or its closing line, within the longest gap after `from`. */
function nextKeyLine(text: string, from: number): Progress {
  const limit = Math.min(text.length, from + MAX_GAP_LENGTH);
  let run = 0;
  for (let at = from; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    run = contains(BASE64, code) ? run + 1 : 0;
    if (run === MIN_LINE_LENGTH) return { found: 'line', end: at + 1 };
    const closing = code === DASH ? closingLineEnd(text, from, at) : 0;
    if (closing > 0) return { found: 'end', end: closing };
  }
  return { found: 'nothing', certain: limit === from + MAX_GAP_LENGTH };
}

/** The index after "-----END … PRIVATE KEY-----" where `lastDash` is its last character, else 0. */
function closingLineEnd(text: string, from: number, lastDash: number): number {
  const dashes = lastDash - DASHES.length + 1;
  if (dashes < from || !text.startsWith(DASHES, dashes)) return 0;
  const before = text.slice(Math.max(from, dashes - MAX_LABEL_LENGTH - END.length), dashes);
  const start = before.lastIndexOf(END);
  return start >= 0 && isPrivate(before.slice(start + END.length)) ? lastDash + 1 : 0;
}

function isPrivate(label: string): boolean {
  return label.endsWith('PRIVATE KEY') || label.endsWith('PRIVATE KEY BLOCK');
}

function afterLastLine(text: string, from: number): number {
  const lineBreak = /^(?:\s|\\[nr])*/.exec(text.slice(from, from + MAX_GAP_LENGTH))?.[0] ?? '';
  const start = from + lineBreak.length;
  let end = endOfRun(BASE64, text, start, Math.min(text.length, start + MAX_LAST_LINE_LENGTH));
  while (text[end] === '=') end += 1;
  return end;
}
