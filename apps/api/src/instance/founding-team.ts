import { Injectable } from '@nestjs/common';
import { TeamRepository } from '@chirality/database';
import type { Principal } from '../access/principal';
import { teamPolicy } from '../access/team.policy';

/** The team that the first start made. Its owners and admins, in person, run the installation. */
@Injectable()
export class FoundingTeam {
  private id: string | null = null;

  constructor(private readonly teams: TeamRepository) {}

  async runBy(who: Principal): Promise<boolean> {
    this.id ??= await this.teams.findOldestId();
    return this.id !== null && teamPolicy.manage(who, { id: this.id });
  }
}
