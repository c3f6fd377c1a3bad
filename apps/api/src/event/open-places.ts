import type { Principal } from '../access/principal';
import { problems } from '../core/problem/problems';

const RETRY_AFTER_MS = 30_000;

/** Places for connections that stay open: so many in all, and so many for one person. */
export class OpenPlaces {
  private readonly taken = new Map<string, number>();
  private total = 0;

  constructor(private readonly max: { total: number; perPerson: number }) {}

  /** Throws RATE_LIMITED where no place is left for the person. */
  refuseWhenFull({ user }: Principal): void {
    if (this.total >= this.max.total || (this.taken.get(user.id) ?? 0) >= this.max.perPerson)
      throw problems.rateLimited(RETRY_AFTER_MS);
  }

  /** Takes a place, or throws RATE_LIMITED, before anything is awaited. Call what it answers once the place is free. */
  take(who: Principal): () => void {
    this.refuseWhenFull(who);
    const { id } = who.user;
    this.total += 1;
    this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.total -= 1;
      const left = (this.taken.get(id) ?? 0) - 1;
      if (left > 0) this.taken.set(id, left);
      else this.taken.delete(id);
    };
  }
}
