import { Injectable } from '@nestjs/common';
import { TurnRepository } from '@chirality/database';
import type { Principal } from '../access/principal';
import { TurnActsService } from '../turn/turn-acts.service';
import { ProjectsService } from './projects.service';

/** The end of a project: its sessions take nothing more, what runs in them is interrupted, everything stays readable. */
@Injectable()
export class ProjectArchiveService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly turns: TurnRepository,
    private readonly acts: TurnActsService,
  ) {}

  async archive(who: Principal, projectId: string): Promise<void> {
    const { id, teamId } = await this.projects.find(who, projectId);
    await this.projects.archive(who, id);
    for (const sessionId of await this.turns.listActiveSessions(id))
      await this.acts.interruptActive(who, { id: sessionId, teamId });
  }
}
