import { Injectable } from '@nestjs/common';
import {
  workspaceLimitMs,
  type FileContent,
  type fileQuerySchema,
  type ProjectFileList,
  type WorkspaceJob,
} from '@chirality/contracts';
import { WorkspaceClient } from '@chirality/messaging';
import type { z } from 'zod';
import type { Principal } from '../access/principal';
import { ProjectsService } from '../project/projects.service';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';
import { REPLY_GRACE_MS } from '../worker/reply-grace';

/** Files of a project as a new session gets them, as a worker reads them. Nothing here opens a file or runs git. */
@Injectable()
export class ProjectFilesService {
  constructor(
    private readonly projects: ProjectsService,
    readonly workers: LiveWorkers,
    readonly workspaces: WorkspaceClient,
  ) {}

  async list(who: Principal, projectId: string, query: z.infer<typeof fileQuerySchema>): Promise<ProjectFileList> {
    const project = await this.projects.find(who, projectId);
    return (await this.ask({ act: 'list-project-files', projectId: project.id, ...query })).list;
  }

  async read(who: Principal, projectId: string, path: string): Promise<FileContent> {
    const project = await this.projects.find(who, projectId);
    return (await this.ask({ act: 'read-project-file', projectId: project.id, path })).file;
  }

  private ask<J extends Extract<WorkspaceJob, { projectId: string }>>(job: J) {
    return askWorkspace(this, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS);
  }
}
