import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { UPLOAD_LIMIT_BYTES, type Project } from '@chirality/contracts';
import { ProjectFetchRepository } from '@chirality/database';
import { BLOBS, ProblemError, type BlobStore } from '@chirality/platform';
import type { Request } from 'express';
import type { Principal } from '../access/principal';
import { AuditTrail } from '../audit/audit-trail';
import { limitedBody } from '../core/transfer/limited-body';
import { problems } from '../core/problem/problems';
import { projectPolicy } from '../access/project.policy';
import { ProjectsService } from './projects.service';

/**
 * Takes the archive of a project that is made of an upload. It is stored as it comes and not looked into here: a worker
 * unpacks it in a sandbox. Its key is recorded before its first byte, so that a later upload removes it.
 */
@Injectable()
export class ProjectUploadService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly fetches: ProjectFetchRepository,
    private readonly audit: AuditTrail,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  async take(who: Principal, projectId: string, request: Request): Promise<Project> {
    const project = await this.projects.find(who, projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('upload its files', project.teamId);
    if (Number(request.headers['content-length'] ?? 0) > UPLOAD_LIMIT_BYTES) throw tooLarge();
    if (
      request.headers['content-encoding'] !== undefined ||
      request.readableEnded ||
      /\bjson\b/.test(request.headers['content-type'] ?? '')
    ) {
      throw new ProblemError(
        'VALIDATION_FAILED',
        'Send the archive itself as the body, a .tar.gz or .zip file, as application/octet-stream.',
      );
    }
    const key = `projects/${project.id}/upload-${randomBytes(12).toString('hex')}`;
    const begun = await this.fetches.beginUpload(project.id, key);
    if (!begun) throw takesNone();
    if (begun.replaced !== null) await this.blobs.delete(begun.replaced);
    const bytes = await this.store(key, request);
    if (!(await this.fetches.completeUpload(project.id, key))) {
      await this.blobs.delete(key);
      throw takesNone();
    }
    await this.audit.note(who, project.teamId, { action: 'project:upload', object: project.id, detail: { bytes } });
    return this.projects.get(who, project.id);
  }

  private async store(key: string, request: Request): Promise<number> {
    try {
      const { bytes } = await this.blobs.put(
        key,
        limitedBody(request, { limitBytes: UPLOAD_LIMIT_BYTES, tooLarge, noun: 'archive' }),
      );
      return bytes;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new ProblemError(
          'WORKSPACE_UNAVAILABLE',
          'The server is out of space for the archive. Contact its operator.',
        );
      throw error;
    }
  }
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'MESSAGE_TOO_LARGE',
    `An archive may have at most ${UPLOAD_LIMIT_BYTES / 1024 / 1024} MB. Leave out what can be rebuilt, such as installed packages.`,
  );
}

function takesNone(): ProblemError {
  return new ProblemError(
    'CONFLICT',
    'This project accepts no upload: its files are here, on their way, or come from elsewhere.',
  );
}
