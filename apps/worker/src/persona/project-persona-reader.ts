import type { ProjectPersonaRepository } from '@chirality/database';
import { ProblemError } from '@chirality/platform';
import { readPersonaFiles } from '../workspace/project/persona-files';
import type { ProjectRecord } from '../workspace/project/project.types';
import type { ProjectRepositories } from '../workspace/project/project-repositories';
import type { ScriptRunner } from '../workspace/script/script-runner';

interface Parts {
  projects: Pick<ProjectRepositories, 'ensure'>;
  find(projectId: string): Promise<ProjectRecord | null>;
  scripts: ScriptRunner;
  scans: Pick<ProjectPersonaRepository, 'keepScan'>;
}

/** Reads the persona files of a project's base commit into the database, where everybody else finds them. */
export class ProjectPersonaReader {
  constructor(private readonly parts: Parts) {}

  /** The commit that was read; its files are durable. Builds the project's repository here if need be. */
  async read(projectId: string, timeoutMs: number): Promise<string> {
    const { projects, find, scripts, scans } = this.parts;
    const project = await find(projectId);
    if (!project) throw new ProblemError('NOT_FOUND', 'There is no such project.');
    const repository = await projects.ensure(project);
    const files = await readPersonaFiles(scripts, repository, timeoutMs);
    await scans.keepScan(projectId, { bundleKey: repository.bundleKey, commit: repository.baseCommit, files });
    return repository.baseCommit;
  }
}
