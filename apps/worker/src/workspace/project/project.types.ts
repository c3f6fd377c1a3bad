import type { ProjectSource } from '@chirality/contracts';

/** What a worker must know of a project to have its repository. */
export interface ProjectRecord {
  id: string;
  name: string;
  source: ProjectSource;
  /** Blob key of the bundle that all workers build the repository from; null until the first one stored it. */
  bundleKey: string | null;
  /** Null where the row does not say yet what the bundle holds. */
  baseCommit?: string | null;
}

/** A project's bare repository on this worker. Once it is there, objects are only added. */
export interface ProjectRepository {
  path: string;
  /** The bundle that it was built from. */
  bundleKey: string;
  /** Mounted read-only in every sandbox of the project's sessions. */
  objects: string;
  branch: string;
  /** The commit that a new session's branch starts from. */
  baseCommit: string;
}

/** Where the project's bundle is agreed upon. */
export interface ProjectBundles {
  /** Sets the project's bundle key if it has none. Returns the key that it has now, which may be another worker's. */
  adoptBundle(projectId: string, bundleKey: string): Promise<string>;
  /** Has the row say what the bundle holds, where it does not yet. */
  recordBase(projectId: string, bundleKey: string, base: { branch: string; baseCommit: string }): Promise<void>;
}
