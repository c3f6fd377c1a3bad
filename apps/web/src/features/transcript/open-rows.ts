/** Which rows of a transcript are unfolded. Lives beside the list, whose rows come and go as it scrolls. */
export class OpenRows {
  private readonly open = new Map<string, boolean>();
  private readonly listeners = new Map<string, Set<() => void>>();

  /** What the person chose, or undefined while they have not touched the row. */
  choice(key: string): boolean | undefined {
    return this.open.get(key);
  }

  choose(key: string, isOpen: boolean): void {
    this.open.set(key, isOpen);
    for (const listener of this.listeners.get(key) ?? []) listener();
  }

  subscribe(key: string, listener: () => void): () => void {
    const listeners = this.listeners.get(key) ?? new Set();
    listeners.add(listener);
    this.listeners.set(key, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.listeners.delete(key);
    };
  }
}
