/** A map of at most `limit` entries: where there are more, the one that was set longest ago goes. */
export class RecentMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();

  constructor(private readonly limit: number) {}

  get(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  set(key: Key, value: Value): void {
    // Set anew, it is the latest.
    this.entries.delete(key);
    this.entries.set(key, value);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.limit) this.entries.delete(oldest as Key);
  }
}
