/**
 * A map of entries that together weigh at most `limit`, each 1 unless it is weighed: where it is more, those that were
 * set longest ago go. One that alone weighs more is not kept.
 */
export class RecentMap<Key, Value> {
  private readonly entries = new Map<Key, { value: Value; weight: number }>();
  private total = 0;

  constructor(
    private readonly limit: number,
    private readonly weigh: (value: Value) => number = () => 1,
  ) {}

  get(key: Key): Value | undefined {
    return this.entries.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    // Set again, it is the latest.
    this.drop(key);
    const weight = this.weigh(value);
    if (weight > this.limit) return;
    this.entries.set(key, { value, weight });
    this.total += weight;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.limit) break;
      this.drop(oldest);
    }
  }

  private drop(key: Key): void {
    this.total -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
  }
}
