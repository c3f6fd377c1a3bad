/** What a record has under a key that somebody else named: `constructor` and its like, which every object has, are no entry. */
export function ownValue<T>(record: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return record != null && Object.hasOwn(record, key) ? record[key] : undefined;
}
