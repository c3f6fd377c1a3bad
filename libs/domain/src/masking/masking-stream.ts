/** A team's own secret: a literal text, or a literal start followed by a run of characters. */
export type MaskPattern =
  | { kind: string; literal: string }
  | { kind: string; prefix: string; characters: 'digits' | 'hex' | 'letters-digits' | 'token'; minLength: number };

const SIMPLE = /\b(?:gh[pousr]_[A-Za-z0-9_]{20,}|github_pat_\w{20,}|sk-ant-[\w-]{16,}|AKIA[A-Z0-9]{16,})/g;

/** Masks one block of one message as it streams: push each delta, emit what comes back, flush at the block's end. */
export class MaskingStream {
  private held = '';

  constructor(private readonly patterns: readonly MaskPattern[] = []) {}

  push(text: string): string {
    const all = this.held + text;
    const cut = all.search(/\S*$/);
    this.held = all.slice(cut);
    return this.mask(all.slice(0, cut));
  }

  flush(): string {
    const rest = this.mask(this.held);
    this.held = '';
    return rest;
  }

  private mask(text: string): string {
    let masked = text.replace(SIMPLE, '«redacted:secret»');
    for (const pattern of this.patterns) {
      if ('literal' in pattern) masked = masked.replaceAll(pattern.literal, `«redacted:${pattern.kind}»`);
    }
    return masked;
  }
}

export function maskText(text: string, patterns: readonly MaskPattern[] = []): string {
  const stream = new MaskingStream(patterns);
  return stream.push(text) + stream.flush();
}

/** `value` with every string and key masked; the same reference where nothing changed. */
export function maskJson<T>(value: T, patterns: readonly MaskPattern[] = []): T {
  return maskValue(value, patterns) as T;
}

function maskValue(value: unknown, patterns: readonly MaskPattern[]): unknown {
  if (typeof value === 'string') return maskText(value, patterns);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, patterns));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskText(key, patterns), maskValue(item, patterns)]));
}
