import { chmod, mkdir, rename, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isId } from '@chirality/contracts';
import { ProblemError, type BlobStore } from '@chirality/platform';
import type { Sandbox } from '../../sandbox/sandbox';
import { writeJsonFile } from '../../workspace/disk/atomic-file';
import type { DiskLayout, SessionDirectories } from '../../workspace/disk/disk-layout';
import { createRecord } from '../../workspace/disk/record-file';
import type { Trash } from '../../workspace/disk/trash';
import { holdingLock } from '../../workspace/disk/workspace-lock';
import type { ProjectRepository } from '../../workspace/project/project.types';
import type { WorkspaceMaker } from '../../workspace/session/workspace-maker';
import type { PreparedWorkspaces } from './prepared-workspaces';
import { metaFile, workspaceFile } from './session-copies';
import type { SessionMeta, WorkspaceMeta } from '../record/session-meta';
import { filesOf, type SessionRecord } from '../record/session-record';
import type { StateManifest } from '../record/state-manifest';
import type { TranscriptArchive } from '../store/transcript-archive';

interface Parts {
  layout: DiskLayout;
  sandbox: Pick<Sandbox, 'spawn'>;
  maker: WorkspaceMaker;
  ahead: Pick<PreparedWorkspaces, 'take'>;
  transcripts: TranscriptArchive;
  blobs: BlobStore;
  trash: Trash;
  /** Ends the process that is parked for the session, if there is one, and resolves when it is gone. */
  endParked(sessionId: string): Promise<void>;
}

/**
 * Builds copies of sessions on this disk: aside, whole, then renamed into place, so that a crash at any moment leaves
 * the old copy or none.
 */
export class CopyBuilder {
  constructor(private readonly parts: Parts) {}

  /**
   * Makes the copy from a stored state, or from the project's base commit when there is none, in place of what is
   * there. Throws TURN_IN_PROGRESS when a process still works in what is there.
   */
  async build(session: SessionRecord, repository: ProjectRepository, manifest: StateManifest | null): Promise<void> {
    const { layout, trash } = this.parts;
    const aside = layout.aside(isId('sharedWorkspace', session.id) ? 'shared' : 'sessions');
    try {
      for (const path of [aside.config, aside.tmp]) await makePrivate(path);
      const own = session.sharedWorkspaceId === null;
      const tree = own ? await this.fillWorkspace(aside, repository, session, manifest) : '';
      // The conversation does not touch the workspace, but a sandbox always has one.
      if (manifest?.transcript)
        await this.parts.transcripts.restore(
          { workspace: own ? aside.workspace : aside.tmp, config: aside.config },
          await this.open(manifest.transcript),
        );
      await createRecord(metaFile(aside), newMeta(session, manifest, tree));
      await this.parts.endParked(session.id);
      await this.replace(layout.session(session.id).dir, aside.dir, layout.lockFile(filesOf(session).id));
    } finally {
      await trash.discard(aside.dir);
    }
  }

  private async fillWorkspace(
    into: SessionDirectories,
    repository: ProjectRepository,
    session: SessionRecord,
    manifest: StateManifest | null,
  ): Promise<string> {
    const branch = branchOf(session);
    if (!manifest) {
      const { baseCommit } = repository;
      const ready = await this.parts.ahead.take(session.projectId, repository, { into, baseCommit, branch });
      if (ready !== null) {
        await writeJsonFile(workspaceFile(into), {
          format: 1,
          branch,
          baseCommit,
          tree: ready,
        } satisfies WorkspaceMeta);
        return ready;
      }
    }
    for (const path of [into.workspace, into.snapshot]) await makePrivate(path);
    const view = { workspace: into.workspace, snapshot: into.snapshot, objects: repository.objects };
    const { baseCommit } = manifest ?? repository;
    const tree = manifest?.workspace
      ? await this.parts.maker.restore(view, baseCommit, await this.open(manifest.workspace))
      : await this.parts.maker.create(view, baseCommit, branch);
    const meta: WorkspaceMeta = { format: 1, branch: manifest?.branch ?? branch, baseCommit, tree };
    await writeJsonFile(workspaceFile(into), meta);
    return tree;
  }

  private async replace(target: string, aside: string, lockFile: string): Promise<void> {
    if (!(await exists(target))) return rename(aside, target);
    await holdingLock(this.parts.sandbox, { file: lockFile, anchor: aside }, async () => {
      await this.parts.trash.discard(target);
      await rename(aside, target);
    });
  }

  private async open(key: string): Promise<Readable> {
    const blob = await this.parts.blobs.get(key);
    if (!blob)
      throw new ProblemError(
        'WORKSPACE_UNAVAILABLE',
        "A part of the session's stored state is missing. Restore the blob store from a backup.",
      );
    return blob;
  }
}

/** The branch that commits go to: the session's, or that of all who share the files. */
function branchOf({ id }: SessionRecord): string {
  return isId('sharedWorkspace', id) ? 'chirality/shared' : `chirality/${id}`;
}

function newMeta(session: SessionRecord, manifest: StateManifest | null, tree: string): SessionMeta {
  return {
    format: 1,
    sessionId: session.id,
    projectId: session.projectId,
    workspace: session.sharedWorkspaceId === null ? 'own' : 'shared',
    sharedWorkspaceId: session.sharedWorkspaceId,
    condition: 'clean',
    stateVersion: manifest?.version ?? 0,
    fence: null,
    attempt: null,
    workspaceChanged: false,
    claudeSessionId: manifest?.claudeSessionId ?? null,
    turnTree: tree,
  };
}

async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
