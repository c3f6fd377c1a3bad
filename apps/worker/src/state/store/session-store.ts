import type { Readable } from 'node:stream';
import type { BlobStore } from '@chirality/platform';
import { SCRIPT_EXIT } from '../../workspace/script/script-prelude';
import { ScriptFailure } from '../../workspace/script/script-failure';
import type { WorkspaceMaker } from '../../workspace/session/workspace-maker';
import type { WorkspaceDirectories } from '../../workspace/snapshot/snapshots';
import { obsoleteBlobs, type StoredState } from './obsolete-blobs';
import { newStatePrefix } from '../record/state-key';
import { readManifest, type StateManifest } from '../record/state-manifest';
import type { StatePointer } from '../record/state-pointers';
import type { TranscriptArchive } from './transcript-archive';

interface StateToStore {
  sessionId: string;
  /** The newest attempt whose work this is. */
  fence: bigint;
  directories: WorkspaceDirectories & { config: string };
  branch: string;
  baseCommit: string;
  claudeSessionId: string | null;
  /** False: the workspace is as in the stored version, and its blob is named again. */
  workspaceChanged: boolean;
}

/** Packs states of sessions into immutable blobs. It moves no pointer: a state that none names is not stored. */
export class SessionStore {
  constructor(private readonly parts: { maker: WorkspaceMaker; transcripts: TranscriptArchive; blobs: BlobStore }) {}

  /** Writes the blobs of the state that follows the pointer's. Nothing is left behind when it fails. */
  async write(state: StateToStore, pointer: StatePointer): Promise<StoredState> {
    const { blobs } = this.parts;
    const previous = pointer.key === null ? null : await readManifest(blobs, pointer.key);
    const prefix = newStatePrefix(state.sessionId, state.fence);
    try {
      const [transcript, workspace] = await bothOrNeither(
        this.writeTranscript(state, prefix, previous),
        this.writeWorkspace(state, prefix, previous),
      );
      const { sessionId, branch, baseCommit, claudeSessionId } = state;
      const manifest: StateManifest = {
        format: 1,
        sessionId,
        version: pointer.version + 1,
        branch,
        baseCommit,
        claudeSessionId,
        transcript,
        ...workspace,
        previous: pointer.key,
      };
      const key = `${prefix}/state.json`;
      await blobs.put(key, Buffer.from(JSON.stringify(manifest)));
      return { key, manifest };
    } catch (error) {
      await blobs.delete(prefix);
      throw error;
    }
  }

  /** The state that the pointer names. Throws WORKSPACE_UNAVAILABLE when there is none. */
  async read({ key }: StatePointer): Promise<StoredState> {
    return { key: key ?? '', manifest: await readManifest(this.parts.blobs, key ?? '') };
  }

  /** Deletes a state that no pointer names or will name. */
  async discard({ key }: StoredState): Promise<void> {
    await this.parts.blobs.delete(key.slice(0, key.lastIndexOf('/')));
  }

  /** Deletes all states before the last two, once the pointer names `current`; blobs that those two still name stay. */
  async forgetOld(current: StoredState): Promise<void> {
    const { blobs } = this.parts;
    const [previous, ...old] = await this.earlierStates(current);
    if (!previous) return;
    // Oldest first: a deletion that was cut off leaves a chain that the next one can follow.
    for (const state of old.reverse()) {
      for (const prefix of obsoleteBlobs(state, [current, previous])) await blobs.delete(prefix);
    }
  }

  private async earlierStates(from: StoredState): Promise<StoredState[]> {
    const earlier: StoredState[] = [];
    for (let key = from.manifest.previous; key !== null && (await this.parts.blobs.exists(key));) {
      const manifest = await readManifest(this.parts.blobs, key);
      earlier.push({ key, manifest });
      key = manifest.previous;
    }
    return earlier;
  }

  private async writeTranscript(
    state: StateToStore,
    prefix: string,
    previous: StateManifest | null,
  ): Promise<string | null> {
    if (state.claudeSessionId === null) return previous?.transcript ?? null;
    const key = `${prefix}/transcript.tar.gz`;
    await this.parts.transcripts.pack(state.directories, state.claudeSessionId, this.into(key));
    return key;
  }

  private async writeWorkspace(
    state: StateToStore,
    prefix: string,
    previous: StateManifest | null,
  ): Promise<Pick<StateManifest, 'workspace' | 'workspaceIsOlder'>> {
    const older = { workspace: previous?.workspace ?? null, workspaceIsOlder: previous?.workspaceIsOlder ?? false };
    if (!state.workspaceChanged) return older;
    const key = `${prefix}/workspace.tar.gz`;
    try {
      await this.parts.maker.pack(state.directories, state.baseCommit, this.into(key));
      return { workspace: key, workspaceIsOlder: false };
    } catch (error) {
      if (error instanceof ScriptFailure && error.code === SCRIPT_EXIT.tooLarge)
        return { ...older, workspaceIsOlder: true };
      throw error;
    }
  }

  private into(key: string): (packed: Readable) => Promise<unknown> {
    return (packed) => this.parts.blobs.put(key, packed);
  }
}

/** Waits for both also when one fails, so that nothing is written after the failure was dealt with. */
async function bothOrNeither<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [one, two] = await Promise.allSettled([first, second]);
  if (one.status === 'rejected') throw one.reason;
  if (two.status === 'rejected') throw two.reason;
  return [one.value, two.value];
}
