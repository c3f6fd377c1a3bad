import { availableParallelism, loadavg } from 'node:os';

/**
 * Keeps the longest time of each name and says them all at the end: what the laws promise, measured. A machine that has
 * more to do than it has cores makes everything slower by about that factor, which is not the product's fault.
 */
export class Stopwatch {
  private readonly worst = new Map<string, number>();

  /** Holds the time against the law and remembers it. */
  note(name: string, ms: number, limitMs: number): void {
    this.worst.set(name, Math.max(ms, this.worst.get(name) ?? 0));
    const crowded = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
    expect({ [name]: ms < limitMs * crowded ? 'in time' : `${Math.round(ms)} ms, not below ${limitMs}` }).toEqual({
      [name]: 'in time',
    });
  }

  async time<T>(name: string, limitMs: number, act: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const result = await act();
    this.note(name, performance.now() - from, limitMs);
    return result;
  }

  report(of: string): void {
    const times = [...this.worst].map(([name, ms]) => `${name} ${Math.round(ms)} ms`);
    process.stderr.write(`${of}, at worst: ${times.join(', ')}\n`);
  }
}
