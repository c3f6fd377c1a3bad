import { Injectable } from '@nestjs/common';
import { TeamRepository } from '@chirality/database';
import { roleIn, type Principal } from '../auth/principal';

/** The team that the first start made. Its owners and admins run the installation. */
@Injectable()
export class FoundingTeam {
  private id: string | null = null;

  constructor(private readonly teams: TeamRepository) {}

  async runBy(who: Principal): Promise<boolean> {
    this.id ??= await this.teams.findOldestId();
    const role = this.id === null ? null : roleIn(who, this.id);
    return role === 'owner' || role === 'admin';
  }
}
