import type { BlobStore } from '@chirality/platform';
import type { ProjectRepositories } from '../../workspace/project/project-repositories';
import type { ProjectRecord, ProjectRepository } from '../../workspace/project/project.types';
import type { Snapshots } from '../../workspace/snapshot/snapshots';
import type { CopyBuilder } from '../copy/copy-builder';
import type { SessionCopies, SessionCopy } from '../copy/session-copies';
import type { SessionRecord } from '../record/session-record';
import { decideState, type StateDecision } from '../record/state-decision';
import { readManifest } from '../record/state-manifest';
import type { StatePointer } from '../record/state-pointers';

export interface OpenedSession {
  copy: SessionCopy;
  repository: ProjectRepository;
  decision: StateDecision;
  /** The newest workspace was never stored, so the one here is older than the conversation. */
  workspaceIsOlder: boolean;
}

const SALVAGE_TIMEOUT_MS = 120_000;

/** Brings this disk's copy of a session to the state that counts. Calls for one session must not overlap. */
export class SessionOpener {
  constructor(
    private readonly parts: {
      copies: SessionCopies;
      builder: CopyBuilder;
      projects: ProjectRepositories;
      snapshots: Snapshots;
      blobs: BlobStore;
    },
  ) {}

  /** The copy as it is, if it is what counts; null when it has to be built first. */
  async findCurrent(sessionId: string, pointer: StatePointer): Promise<SessionCopy | null> {
    const copy = await this.parts.copies.find(sessionId);
    const { act } = decideState(copy?.meta ?? null, pointer);
    return act === 'use' || act === 'salvage' ? copy : null;
  }

  /**
   * Builds the copy where it is missing or old, and makes one that an attempt died over usable again. `isKept`: the
   * attempt before this one ended here in good order, and what is recorded of its files is true. `found`: the copy as
   * `SessionCopies.find` answered within the same hold of the session.
   */
  async open(
    session: SessionRecord,
    project: ProjectRecord,
    pointer: StatePointer,
    { isKept = false, found = null }: { isKept?: boolean; found?: SessionCopy | null } = {},
  ): Promise<OpenedSession> {
    const { copies, builder, projects, blobs } = this.parts;
    const repository = await projects.ensure(project);
    const decided = decideState(found?.meta ?? copies.readMeta(session.id), pointer);
    const decision = decided.act === 'salvage' && isKept ? { ...decided, act: 'use' as const } : decided;
    const builds = decision.act === 'restore' || decision.act === 'create';
    const manifest = decision.act === 'restore' && pointer.key !== null ? await readManifest(blobs, pointer.key) : null;
    if (builds) await builder.build(session, repository, manifest);
    const isThere = found !== null && !builds;
    const copy = await this.settle(
      isThere ? found : await copies.get(session.id),
      repository.objects,
      decision,
      pointer,
    );
    return { copy, repository, decision, workspaceIsOlder: manifest?.workspaceIsOlder ?? false };
  }

  private async settle(
    copy: SessionCopy,
    objects: string,
    { act }: StateDecision,
    pointer: StatePointer,
  ): Promise<SessionCopy> {
    const { copies, snapshots } = this.parts;
    if (act === 'use' && copy.meta.condition === 'dirty') return copy;
    if (act === 'salvage' && copy.meta.workspace === 'shared') return copies.writeMeta(copy, { condition: 'unstored' });
    if (act === 'salvage') {
      const { workspace, snapshot } = copy.home;
      const tree = await snapshots.take({ workspace, snapshot, objects }, SALVAGE_TIMEOUT_MS);
      return copies.writeMeta(await copies.writeTree(copy, tree), { condition: 'unstored', workspaceChanged: true });
    }
    // The copy was stored, and the worker died before it could write that down.
    if (copy.meta.stateVersion !== pointer.version)
      return copies.writeMeta(copy, { condition: 'clean', stateVersion: pointer.version });
    return copy;
  }
}
