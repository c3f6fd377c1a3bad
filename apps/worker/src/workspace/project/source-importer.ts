import { join } from 'node:path';
import { ProblemError } from '@chirality/platform';
import { INSTRUCTION_ROOT } from '../../instruction/instruction-root';
import { ScriptFailure } from '../script/script-failure';
import type { Script, ScriptRunner } from '../script/script-runner';
import { resolveAllowedDirectory } from './allowed-directory';
import type { ProjectRecord } from './project.types';
import { IMPORT_DIRECTORY, IMPORT_EMPTY } from './project-scripts';

const TIMEOUT_MS = 600_000;
const SAMPLE_PROJECT = join(INSTRUCTION_ROOT, 'sample-project');

/** Makes a project's first repository, `repo.git` in a directory, from the source that a person named. */
export class SourceImporter {
  constructor(
    private readonly scripts: ScriptRunner,
    private readonly settings: { allowedRoots: readonly string[]; dataDir: string },
  ) {}

  /** Throws WORKING_ROOT_INACCESSIBLE, with a sentence for the person, when the source cannot be had. */
  async import(
    project: ProjectRecord,
    directory: string,
  ): Promise<{ branch: string; baseCommit: string; historyKept: boolean }> {
    const date = new Date().toISOString();
    const mounts = { workspace: directory };
    switch (project.source.kind) {
      case 'empty':
        if (project.source.sample)
          return this.run({
            text: IMPORT_DIRECTORY,
            args: [date],
            mounts: { ...mounts, source: SAMPLE_PROJECT },
            timeoutMs: TIMEOUT_MS,
          });
        return this.run(
          { text: IMPORT_EMPTY, args: [date], mounts, timeoutMs: TIMEOUT_MS },
          `# ${project.name.replace(/\s+/g, ' ')}\n`,
        );
      case 'directory': {
        const source = await resolveAllowedDirectory(
          project.source.path,
          this.settings.allowedRoots,
          this.settings.dataDir,
        );
        const args = [date, ...source.leftOut];
        return this.run({
          text: IMPORT_DIRECTORY,
          args,
          mounts: { ...mounts, source: source.path },
          timeoutMs: TIMEOUT_MS,
        });
      }
      case 'upload':
      case 'git':
        throw new ProblemError(
          'PROJECT_NOT_READY',
          'The project’s files have not been fetched yet. Its page shows the progress.',
        );
    }
  }

  private async run(
    script: Script,
    stdin?: string,
  ): Promise<{ branch: string; baseCommit: string; historyKept: boolean }> {
    try {
      const { stdout } = await this.scripts.run({ ...script, stdin, maxOutputBytes: 64 * 1024 });
      const [branch = '', baseCommit = '', history = ''] = stdout.toString('utf8').trim().split(' ');
      return { branch, baseCommit, historyKept: history === 'kept' };
    } catch (error) {
      if (!(error instanceof ScriptFailure)) throw error;
      throw new ProblemError('WORKING_ROOT_INACCESSIBLE', `The project's directory cannot be used: ${error.reason}.`);
    }
  }
}
