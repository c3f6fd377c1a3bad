import { NO_SECRET, UNDECIDED } from './body-matchers';
import { contains } from './character-set';
import type { SecretRule } from './secret-rules';

type Node = { next: Map<number, Node>; rules: SecretRule[] };

export type Match = { rule: SecretRule; end: number };

/** All prefixes of a set of rules; the longest one whose body fits wins. */
export class PrefixTree {
  private readonly root: Node = { next: new Map(), rules: [] };

  constructor(rules: Iterable<SecretRule>) {
    for (const rule of rules) this.add(rule);
  }

  /**
   * The secret that stands at `from`, right after the character `last` (-1: none); NO_SECRET, or UNDECIDED when the
   * text ends too early to tell, which is never said of a `final` text.
   */
  match(text: string, from: number, last: number, final: boolean): Match | typeof NO_SECRET | typeof UNDECIDED {
    const passed: { rule: SecretRule; bodyAt: number }[] = [];
    let node = this.root;
    for (let at = from; ; at += 1) {
      if (at === text.length) {
        if (node.next.size > 0 && !final) return UNDECIDED;
        break;
      }
      const next = node.next.get(text.charCodeAt(at));
      if (!next) break;
      node = next;
      for (const rule of node.rules) if (mayFollow(last, rule)) passed.push({ rule, bodyAt: at + 1 });
    }
    for (const { rule, bodyAt } of passed.reverse()) {
      const end = rule.body(text, bodyAt);
      if (end >= 0) return { rule, end };
      if (end === UNDECIDED && !final) return UNDECIDED;
    }
    return NO_SECRET;
  }

  private add(rule: SecretRule): void {
    let node = this.root;
    for (let at = 0; at < rule.prefix.length; at += 1) {
      const code = rule.prefix.charCodeAt(at);
      const next: Node = node.next.get(code) ?? { next: new Map(), rules: [] };
      node.next.set(code, next);
      node = next;
    }
    node.rules.push(rule);
  }
}

function mayFollow(last: number, rule: SecretRule): boolean {
  return last < 0 || !rule.notAfter || !contains(rule.notAfter, last);
}
