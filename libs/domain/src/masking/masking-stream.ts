import { NO_SECRET, UNDECIDED } from './body-matchers';
import { contains, endOfRun, type CharacterSet } from './character-set';
import {
  BUILT_IN_RULES,
  compiledRulesFor,
  ENDS_CONTEXT,
  STARTS_ANYWHERE,
  STARTS_WORD,
  pairOf,
  type CompiledRules,
} from './compiled-rules';
import type { MaskPattern } from './mask-pattern';
import { mayMatter } from './may-matter';
import type { Match } from './prefix-tree';
import { PrivateKeyDrop } from './private-key';
import { RecentText } from './recent-text';
import { CONTEXT_RULES, type ContextRule, type SecretRule } from './secret-rules';
import { startsWord } from './word-start';

/**
 * Masks one block of one message while it streams: push each delta, emit what comes back, flush at the block's end.
 * What is emitted, joined, is the same for every cut of the block into deltas. Text is held back only from the first
 * character of a possible secret on, never more than 8 KiB of it; linear in the length of the text.
 */
export class MaskingStream {
  private readonly rules: CompiledRules;
  /** From the first character of a possible secret on. */
  private held = '';
  /** What went before `held`; empty right after a secret, so that nothing is judged by its letters. */
  private readonly before: RecentText;
  private context: SeenContext | null = null;
  /** Inside a secret: what is dropped until it ends. */
  private tail: CharacterSet | PrivateKeyDrop | null = null;
  /** Where the last search ended. */
  private scannedTo = 0;

  constructor(patterns?: readonly MaskPattern[]) {
    this.rules = patterns ? compiledRulesFor(patterns) : BUILT_IN_RULES;
    this.before = new RecentText(this.rules.reach);
  }

  /** Characters that wait for the next delta. */
  get heldBack(): number {
    return this.held.length;
  }

  /** The next masked piece; empty when everything waits. */
  push(text: string): string {
    return text === '' ? '' : this.advance(this.held === '' ? text : this.held + text, false);
  }

  /** The rest of the block. The stream is then as new. */
  flush(): string {
    const rest = this.held === '' ? '' : this.advance(this.held, true);
    this.held = '';
    this.before.clear();
    this.context = this.tail = null;
    return rest;
  }

  private advance(text: string, final: boolean): string {
    let masked = '';
    let emitted = 0;
    let at = 0;
    while (at < text.length) {
      if (this.tail) {
        at = emitted = this.drop(this.tail, text, at, final);
        if (this.tail) break;
        continue;
      }
      const secret = this.findSecret(text, at, emitted, final);
      at = this.scannedTo;
      if (!secret) break;
      masked += `${text.slice(emitted, at)}«redacted:${secret.kind}»`;
      at = emitted = secret.end;
      this.enter(secret, text);
    }
    const isWhole = emitted === 0 && at === text.length;
    const passed = isWhole ? text : text.slice(emitted, at);
    if (passed !== '' && !this.tail) this.before.add(passed);
    this.held = isWhole ? '' : text.slice(at);
    return isWhole ? text : masked + passed;
  }

  /**
   * The first secret from `from` on; null at the end of the text, or where what follows must wait. `scannedTo` then is
   * where that is, and `context` what was known before the character there.
   */
  private findSecret(text: string, from: number, fence: number, final: boolean): Secret | null {
    let contextBeforeLast = this.context;
    let at = from;
    let last = from === 0 ? Math.max(0, this.before.codeBefore(1)) : 0;
    while (at < text.length) {
      if (this.context === null) {
        const ordinary = this.endOfOrdinary(text, at, last);
        if (ordinary > at) {
          contextBeforeLast = null;
          last = text.charCodeAt(ordinary - 1);
          at = ordinary;
          continue;
        }
      }
      const code = text.charCodeAt(at);
      const context = this.context;
      const flags = this.flagsOf(last, code);
      if ((flags & (STARTS_ANYWHERE | STARTS_WORD)) !== 0 && at > from) {
        const found = this.lookForPrefix(text, at - 1, flags, fence, final);
        if (found !== NO_SECRET) return this.stopAt(at - 1, contextBeforeLast, found);
      }
      if (context !== null) {
        const found = this.lookForValue(context, text, at, code, final);
        if (found !== NO_SECRET) return this.stopAt(at, context, found);
      }
      if ((flags & ENDS_CONTEXT) !== 0) this.context = this.contextEndingAt(text, at, fence) ?? this.context;
      contextBeforeLast = context;
      last = code;
      at += 1;
    }
    const mustWait = !final && text.length > from && this.maySecretStartAt(text, text.length - 1, fence);
    if (mustWait) return this.stopAt(text.length - 1, contextBeforeLast, UNDECIDED);
    this.scannedTo = text.length;
    return null;
  }

  /** The first index from `from` on where something begins or ends that could matter to a secret. Nearly all time goes here. */
  private endOfOrdinary(text: string, from: number, lastCode: number): number {
    const { pairs, startsBeyondAscii } = this.rules;
    let last = lastCode;
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if ((code | last) < 128) {
        const flags = pairs[(last << 7) | code] as number;
        if (flags !== 0 && mayMatter(this.rules, text, at, last, code, flags)) return at;
      } else if (startsBeyondAscii) return at;
      last = code;
    }
    return text.length;
  }

  private stopAt(at: number, context: SeenContext | null, found: Secret | typeof UNDECIDED): Secret | null {
    this.scannedTo = at;
    this.context = context;
    return found === UNDECIDED ? null : found;
  }

  private lookForPrefix(text: string, start: number, flags: number, fence: number, final: boolean): Verdict {
    const { anywhere, words } = this.rules;
    const last = this.codeAt(text, start - 1, fence);
    const found = (flags & STARTS_ANYWHERE) === 0 ? NO_SECRET : anywhere.match(text, start, last, final);
    if (found !== NO_SECRET || (flags & STARTS_WORD) === 0 || !this.startsWordAt(text, start, fence))
      return secretOf(found);
    return secretOf(words.match(text, start, last, final));
  }

  private lookForValue(
    { rule, separators }: SeenContext,
    text: string,
    at: number,
    code: number,
    final: boolean,
  ): Verdict {
    if (separators < rule.maxSeparators && contains(rule.separators, code)) {
      this.context = { rule, separators: separators + 1 };
      return NO_SECRET;
    }
    const end = separators < rule.minSeparators ? NO_SECRET : rule.body(text, at);
    if (end >= 0) return { kind: rule.kind, end, tail: rule.tail };
    if (end === UNDECIDED && !final) return UNDECIDED;
    this.context = null;
    return NO_SECRET;
  }

  private contextEndingAt(text: string, at: number, fence: number): SeenContext | null {
    for (const rule of CONTEXT_RULES) {
      const length = rule.ending.length;
      if (this.textBefore(text, at + 1, fence, length).toLowerCase() !== rule.ending) continue;
      if (rule.words.test(this.textBefore(text, at + 1, fence, rule.reach))) return { rule, separators: 0 };
    }
    return null;
  }

  private maySecretStartAt(text: string, at: number, fence: number): boolean {
    const how = this.rules.starts[text.charCodeAt(at)] as number;
    if ((how & STARTS_ANYWHERE) !== 0) return true;
    return (how & STARTS_WORD) !== 0 && this.startsWordAt(text, at, fence);
  }

  private flagsOf(last: number, code: number): number {
    const { pairs, starts, startsBeyondAscii } = this.rules;
    if ((code | last) < 128) return pairs[pairOf(last, code)] as number;
    return startsBeyondAscii ? (starts[last] as number) : 0;
  }

  private enter(secret: Secret, text: string): void {
    this.context = secret.followedBy ? { rule: secret.followedBy, separators: 0 } : null;
    this.before.clear();
    if (secret.tail === 'private-key') this.tail = text[secret.end - 1] === '-' ? null : new PrivateKeyDrop();
    else this.tail = secret.tail;
  }

  /** The index up to which the text belongs to the secret; `this.tail` is then null when the secret has ended. */
  private drop(tail: CharacterSet | PrivateKeyDrop, text: string, from: number, final: boolean): number {
    if (!(tail instanceof PrivateKeyDrop)) {
      const end = endOfRun(tail, text, from);
      if (end < text.length) this.tail = null;
      return end;
    }
    const dropped = tail.push(from === 0 ? text : text.slice(from));
    if (dropped.rest !== null) this.tail = null;
    else if (!final) return from + dropped.kept;
    this.tail = null;
    return from + (dropped.rest ?? dropped.kept + PrivateKeyDrop.finish(text.slice(from + dropped.kept)));
  }

  private startsWordAt(text: string, at: number, fence: number): boolean {
    return startsWord((distance) => this.codeAt(text, at - distance, fence));
  }

  /** The character at `at`, which may lie before the text; -1 where there is none, or it is before `fence`, the last secret's end. */
  private codeAt(text: string, at: number, fence: number): number {
    if (at >= fence) return text.charCodeAt(at);
    return fence > 0 ? -1 : this.before.codeBefore(-at);
  }

  /** Up to `reach` characters before `at`, none of them from before `fence`. */
  private textBefore(text: string, at: number, fence: number, reach: number): string {
    const start = Math.max(fence, at - reach);
    const near = text.slice(start, at);
    return start > 0 || near.length >= reach ? near : this.before.last(reach - near.length) + near;
  }
}

type Secret = { kind: string; end: number; tail: SecretRule['tail']; followedBy?: ContextRule };
type Verdict = Secret | typeof NO_SECRET | typeof UNDECIDED;
/** The words of a rule were seen, and so many separators since. */
type SeenContext = { rule: ContextRule; separators: number };

function secretOf(found: Match | typeof NO_SECRET | typeof UNDECIDED): Verdict {
  return typeof found === 'number' ? found : { ...found.rule, end: found.end };
}
