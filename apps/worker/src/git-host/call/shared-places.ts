import pLimit, { type LimitFunction } from 'p-limit';

/** Places for work that waits for other hosts. No team has all of them: slow hosts of one leave room for others. */
export class SharedPlaces {
  private readonly all: LimitFunction;
  private readonly ofTeams = new Map<string, LimitFunction>();

  constructor(
    total: number,
    private readonly perTeam: number,
  ) {
    this.all = pLimit(total);
  }

  async run<T>(teamId: string, work: () => Promise<T>): Promise<T> {
    const places = this.ofTeams.get(teamId) ?? pLimit(this.perTeam);
    this.ofTeams.set(teamId, places);
    try {
      return await places(() => this.all(work));
    } finally {
      if (places.activeCount + places.pendingCount === 0 && this.ofTeams.get(teamId) === places)
        this.ofTeams.delete(teamId);
    }
  }
}
