/** Lets at most so many works run at once; others wait in the order they came. */
export class Slots {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly size: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.size) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      // A slot is handed over directly, so that no later caller overtakes.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
