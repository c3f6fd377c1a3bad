import type { ProjectPersonaRepository } from '@chirality/database';
import type { OpenProject } from '../workspace/project/open-project';
import { readPersonaFiles } from '../workspace/project/persona-files';
import type { ScriptRunner } from '../workspace/script/script-runner';

interface Parts {
  openProject: OpenProject;
  scripts: ScriptRunner;
  scans: Pick<ProjectPersonaRepository, 'keepScan'>;
}

/** Reads the persona files of a project's base commit into the database, where all others find them. */
export class ProjectPersonaReader {
  constructor(private readonly parts: Parts) {}

  /** The commit that was read; its files are durable. Builds the project's repository here if need be. */
  async read(projectId: string, timeoutMs: number): Promise<string> {
    const { openProject, scripts, scans } = this.parts;
    const repository = await openProject(projectId);
    const files = await readPersonaFiles(scripts, repository, timeoutMs);
    await scans.keepScan(projectId, { bundleKey: repository.bundleKey, commit: repository.baseCommit, files });
    return repository.baseCommit;
  }
}
