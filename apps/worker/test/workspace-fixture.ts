import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newId } from '@chirality/domain';
import { FileBlobStore } from '@chirality/platform';
import { claudeProgram } from '../src/harness/claude-code/claude-program';
import { createSandbox } from '../src/sandbox/setup/create-sandbox';
import type { Sandbox } from '../src/sandbox/sandbox';
import { Trash } from '../src/workspace/disk/trash';
import { ProjectRepositories } from '../src/workspace/project/project-repositories';
import type { ProjectBundles, ProjectRecord } from '../src/workspace/project/project.types';
import { SourceImporter } from '../src/workspace/project/source-importer';
import { ScriptRunner } from '../src/workspace/script/script-runner';

/** The row of a project, for tests of what is done on one worker after another. */
export class BundlesInMemory implements ProjectBundles {
  readonly keys = new Map<string, string>();

  async adoptBundle(projectId: string, bundleKey: string): Promise<string> {
    const agreed = this.keys.get(projectId) ?? bundleKey;
    this.keys.set(projectId, agreed);
    return agreed;
  }

  async recordBase(): Promise<void> {}
}

/**
 * A temporary directory with a real sandbox, a blob store and the disks of any number of workers. Needs an ordinary
 * uid.
 */
export class WorkspaceFixture {
  readonly root = mkdtempSync(join(tmpdir(), 'chy-'));
  readonly sandbox: Sandbox = createSandbox({
    mode: 'bubblewrap',
    production: false,
    runDir: join(this.root, 'run'),
    searchPath: process.env['PATH'],
    program: claudeProgram(),
  });
  readonly scripts = new ScriptRunner(this.sandbox);
  readonly blobs = new FileBlobStore(join(this.root, 'data', 'blobs'));
  readonly bundles = new BundlesInMemory();
  private readonly trashes: Trash[] = [];

  /** The projects of a worker whose disk is `name`. */
  projects(name: string, dataDir = this.path('data')): ProjectRepositories {
    return new ProjectRepositories(this.path('data', name, 'projects'), {
      scripts: this.scripts,
      importer: new SourceImporter(this.scripts, { allowedRoots: [this.path('allowed')], dataDir }),
      blobs: this.blobs,
      bundles: this.bundles,
      trash: this.trash(name),
    });
  }

  trash(name: string): Trash {
    const trash = new Trash(this.path('data', name, 'trash'), this.scripts, (error) => {
      throw error;
    });
    this.trashes.push(trash);
    return trash;
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  async write(path: string, content: string): Promise<string> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), content);
    return this.path(path);
  }

  async close(): Promise<void> {
    await Promise.all(this.trashes.map((trash) => trash.emptied()));
    rmSync(this.root, { recursive: true, force: true });
  }
}

export function buildProjectRecord(values: Partial<ProjectRecord> = {}): ProjectRecord {
  return { id: newId('project'), name: 'Lighthouse', source: { kind: 'empty' }, bundleKey: null, ...values };
}
