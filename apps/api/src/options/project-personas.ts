import { Injectable } from '@nestjs/common';
import type { ProjectSource } from '@chirality/contracts';
import {
  personaTextHash,
  ProjectPersonaRepository,
  type KeyedApproval,
  type ScannedPersonas,
} from '@chirality/database';
import { WorkspaceClient } from '@chirality/messaging';
import { ProblemError } from '@chirality/platform';
import { LiveWorkers } from '../worker/live-workers';
import { candidateOf, unreadableCandidate, type CandidateWithText } from './candidate';

const REPLY_LIMIT_MS = 5_000;

type ProjectRef = { id: string; source: ProjectSource; bundleKey: string | null };

/**
 * The personas in a project's base commit. A worker reads the files, once for each state of the project; nothing here
 * runs git.
 */
@Injectable()
export class ProjectPersonas {
  constructor(
    private readonly stored: ProjectPersonaRepository,
    private readonly workers: LiveWorkers,
    private readonly workspaces: WorkspaceClient,
  ) {}

  /** Throws WORKSPACE_UNAVAILABLE and the like when the files were not read yet and no worker can do so now. */
  async candidates(project: ProjectRef): Promise<CandidateWithText[]> {
    // An empty project has no personas, and need not be built to know that.
    if (project.source.kind === 'empty' && project.bundleKey === null) return [];
    const [scan, approvals] = await Promise.all([this.currentScan(project), this.stored.listApprovals(project.id)]);
    return scan.files.map(({ file, text, refusal }) =>
      text === null
        ? unreadableCandidate(file, refusal, scan.commit)
        : approvedCandidate(text, file, scan.commit, approvals),
    );
  }

  private async currentScan(project: ProjectRef): Promise<ScannedPersonas> {
    const known = await this.stored.findScan(project.id);
    if (known && known.bundleKey === project.bundleKey) return known;
    const workerId = await this.workers.forWorkspaceOf(null);
    if (!workerId)
      throw new ProblemError(
        'WORKSPACE_UNAVAILABLE',
        'No worker is running that can read the project’s files. Start one, or try again in a moment.',
      );
    const reply = await this.workspaces.request(
      workerId,
      { act: 'read-personas', projectId: project.id },
      REPLY_LIMIT_MS,
    );
    if (reply.act === 'refused') throw new ProblemError(reply.code, reply.detail);
    const read = await this.stored.findScan(project.id);
    if (!read)
      throw new ProblemError(
        'WORKSPACE_UNAVAILABLE',
        'The project’s persona files were not read. Try again in a moment.',
      );
    return read;
  }
}

function approvedCandidate(
  text: string,
  file: string,
  commit: string,
  approvals: readonly KeyedApproval[],
): CandidateWithText {
  const contentHash = personaTextHash(text);
  const candidate = candidateOf(text, file, { origin: 'project', contentHash, commit });
  const given = approvals.find((one) => one.key === candidate.key && one.contentHash === contentHash);
  return given ? { ...candidate, approval: { userId: given.userId, name: given.name, at: given.at } } : candidate;
}
