import { message, text, type Reply } from '../api/reply';
import type { Conversation } from '../conversation/conversation';
import { replyOf } from './directive-reply';
import { parseDirectives, type Directive } from './parse-directives';

type Directed = { reply: Reply; label: string };

/** Finds the step that a request is at. What it remembers is only how often a step with `times` was given. */
export class DirectiveQueue {
  private waiting: Directive[][] = [];
  private fallback: Directive[][] = [];
  private given = new Map<string, number>();

  enqueue(directives: string): void {
    this.waiting.push(...parseDirectives(directives));
  }

  setDefault(directives: string | null): void {
    this.fallback = directives === null ? [] : parseDirectives(directives);
  }

  reset(): void {
    this.waiting = [];
    this.fallback = [];
    this.given = new Map();
  }

  /** The answer that a directive asks for; null where none speaks of this request. */
  replyTo({ asked, step, tools, earlier }: Conversation): Directed | null {
    const steps = parseDirectives(asked);
    if (steps.length > 0) return this.replyAt(steps, step, `${earlier.length}:${asked}`);
    const next = tools.size > 0 ? this.waiting.shift() : undefined;
    if (next) return { reply: replyOf(next), label: labelOf(next) };
    return this.fallback.length > 0 ? this.replyAt(this.fallback, step, `${earlier.length}:${asked}`) : null;
  }

  private replyAt(steps: readonly Directive[][], step: number, key: string): Directed {
    let at = 0;
    let toPass = step;
    for (; at < steps.length; at += 1) {
      const current = steps[at] ?? [];
      const limit = timesOf(current);
      if (limit === null) {
        if (toPass === 0) return { reply: replyOf(current), label: labelOf(current) };
        toPass -= 1;
        continue;
      }
      if (toPass > 0) continue;
      const place = `${key}#${at}`;
      const count = this.given.get(place) ?? 0;
      if (count >= limit) continue;
      this.given.set(place, count + 1);
      return { reply: replyOf(current), label: labelOf(current) };
    }
    return { reply: message(text('Done.')), label: 'done' };
  }
}

function timesOf(step: readonly Directive[]): number | null {
  const times = step.find((directive) => directive.options['times'] !== undefined)?.options['times'];
  return times === undefined ? null : Number(times);
}

function labelOf(step: readonly Directive[]): string {
  return step.map((directive) => directive.name).join('&');
}
