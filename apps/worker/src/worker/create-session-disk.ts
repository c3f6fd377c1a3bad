import { join } from 'node:path';
import { diskSpace, type BlobStore, type Logger } from '@chirality/platform';
import type { ProjectPersonaRepository, PurgeRepository, SharedWorkspaceRepository } from '@chirality/database';
import { ProjectPersonaReader } from '../persona/project-persona-reader';
import type { PromptAssembler } from '../prompt/prompt-assembler';
import type { Sandbox } from '../sandbox/sandbox';
import type { ListBranches } from '../jobs/list-branches';
import { WorkspaceJobs } from '../jobs/workspace-jobs';
import { Downloads } from '../workspace/download/downloads';
import { DiskLayout } from '../workspace/disk/disk-layout';
import { Trash } from '../workspace/disk/trash';
import { projectOpener } from '../workspace/project/open-project';
import { ProjectRepositories } from '../workspace/project/project-repositories';
import type { ProjectBundles } from '../workspace/project/project.types';
import { SourceImporter } from '../workspace/project/source-importer';
import { ScriptRunner } from '../workspace/script/script-runner';
import { RemotePush } from '../workspace/remote/remote-push';
import type { RemoteRepositories } from '../workspace/transport/remote-repositories';
import { findUnpushed } from '../workspace/history/find-unpushed';
import { WorkspaceMaker } from '../workspace/session/workspace-maker';
import { Snapshots } from '../workspace/snapshot/snapshots';
import { ConfigClearer } from '../state/copy/config-clearer';
import { PreparedWorkspaces } from '../state/copy/prepared-workspaces';
import { CopyBuilder } from '../state/copy/copy-builder';
import { DiskKeeper } from '../state/session/disk-keeper';
import { DiskReserve } from '../state/copy/disk-reserve';
import { SessionActivity } from '../state/copy/session-activity';
import { SessionActs, type SessionDirectory } from '../state/session/session-acts';
import { CACHE_LIMITS, SessionCache, type CacheLimits } from '../state/copy/session-cache';
import { SessionCopies } from '../state/copy/session-copies';
import { SessionDisk } from '../state/session/session-disk';
import { SessionOpener } from '../state/session/session-opener';
import { StateKeeper } from '../state/session/state-keeper';
import type { StatePointers } from '../state/record/state-pointers';
import { SessionStore } from '../state/store/session-store';
import { TranscriptArchive } from '../state/store/transcript-archive';

export interface SessionDiskSettings {
  workerId: string;
  dataDir: string;
  allowedRoots: readonly string[];
  sandbox: Pick<Sandbox, 'spawn' | 'run'>;
  blobs: BlobStore;
  pointers: StatePointers;
  bundles: ProjectBundles;
  sessions: SessionDirectory;
  sharedActs: Pick<SharedWorkspaceRepository, 'noteAct'>;
  purges: Pick<PurgeRepository, 'listPurged'>;
  personaScans: Pick<ProjectPersonaRepository, 'keepScan'>;
  prompts: Pick<PromptAssembler, 'assemble'>;
  listBranches: ListBranches;
  remotes: Pick<RemoteRepositories, 'run'>;
  log: Logger;
  /** Ends the process that is parked for the session, if there is one, and resolves when it is gone. */
  endParked?: (sessionId: string) => Promise<void>;
  cacheLimits?: CacheLimits;
  /** How long each act on files may take; by default what the api waits for it. */
  actLimitMs?: number;
}

/** Everything that a worker does with its disk. `projects` may be used to import a project before its first session. */
export interface WorkerDisk {
  disk: SessionDisk;
  acts: SessionActs;
  jobs: WorkspaceJobs;
  pushes: RemotePush;
  scripts: ScriptRunner;
  cache: SessionCache;
  projects: ProjectRepositories;
  /** The files of the next session of a large project. */
  ahead: Pick<PreparedWorkspaces, 'prepare' | 'drop'>;
  personas: ProjectPersonaReader;
  config: ConfigClearer;
  /** To be tended every half minute or so. */
  keeper: DiskKeeper;
  /** Ends downloads, and resolves when no deletion is under way. Call after the last turn. */
  close(): Promise<void>;
}

/** Puts the parts together; touches nothing yet. */
export function createSessionDisk(settings: SessionDiskSettings): WorkerDisk {
  const { workerId, dataDir, allowedRoots, sandbox, blobs, pointers, bundles, sessions, personaScans, prompts, log } =
    settings;
  const layout = new DiskLayout(dataDir);
  const scripts = new ScriptRunner(sandbox);
  const trash = new Trash(layout.trash, scripts, (error) => log.warn({ err: error }, 'disk.trash_not_emptied'));
  const importer = new SourceImporter(scripts, { allowedRoots, dataDir });
  const projects = new ProjectRepositories(layout.projects, { scripts, importer, blobs, bundles, trash });
  const maker = new WorkspaceMaker(scripts);
  const ahead = new PreparedWorkspaces({ layout, maker, trash });
  const transcripts = new TranscriptArchive(scripts);
  const snapshots = new Snapshots(scripts);
  const endParked = settings.endParked ?? (() => Promise.resolve());
  const activity = new SessionActivity();
  const copies = new SessionCopies(layout);
  const builder = new CopyBuilder({ layout, sandbox, maker, ahead, transcripts, blobs, trash, endParked });
  const opener = new SessionOpener({ copies, builder, projects, snapshots, blobs });
  const sessionStore = new SessionStore({ maker, transcripts, blobs });
  const keeper = new StateKeeper({
    workerId,
    copies,
    projects,
    pointers,
    sessionStore,
    findUnpushed: (view, bases) => findUnpushed(scripts, view, bases),
    onUnpushedUnknown: (sessionId, error) => log.warn({ err: error, session: sessionId }, 'state.unpushed_unknown'),
  });
  const onStoreFailed = (sessionId: string, error: unknown) =>
    log.warn({ err: error, session: sessionId }, 'state.not_stored');
  const acts = new SessionActs({
    workerId,
    activity,
    copies,
    opener,
    keeper,
    pointers,
    projects,
    sessions,
    sharedActs: settings.sharedActs,
    endParked,
    onStoreFailed,
  });
  const reserve = new DiskReserve(join(dataDir, 'reserve'), () => diskSpace(dataDir));
  const disk = new SessionDisk({ workerId, reserve, activity, copies, opener, keeper, pointers, projects, snapshots });
  const freeBytes = async () => (await diskSpace(dataDir))?.freeBytes ?? Infinity;
  const cache = new SessionCache({
    copies,
    activity,
    scripts,
    sandbox,
    trash,
    blobs,
    endParked,
    listPurged: (ids) => settings.purges.listPurged(ids),
    limits: settings.cacheLimits ?? CACHE_LIMITS,
    freeBytes,
  });
  const openProject = projectOpener(projects, (projectId) => sessions.findProject(projectId));
  const pushes = new RemotePush({ remotes: settings.remotes, scripts, projects });
  const personas = new ProjectPersonaReader({ openProject, scripts, scans: personaScans });
  const downloads = new Downloads(blobs, log);
  return {
    disk,
    acts,
    jobs: new WorkspaceJobs(
      {
        acts,
        openProject,
        scripts,
        personas,
        prompts,
        downloads,
        blobs,
        listBranches: settings.listBranches,
        pushes,
        log,
      },
      settings.actLimitMs,
    ),
    pushes,
    scripts,
    cache,
    projects,
    ahead,
    personas,
    config: new ConfigClearer(trash),
    keeper: new DiskKeeper({ disk, cache, reserve, log }),
    close: async () => {
      await downloads.close();
      await trash.emptied();
    },
  };
}
