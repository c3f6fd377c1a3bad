import type { Options, ProjectSource, ResolvedOptions, ResolvedPersona, Session, Turn } from '@chirality/contracts';
import type { ProjectRow, SessionCursorRow, SessionRow, TurnRow } from '../generated/rows';
import { LAST_RUN_FENCE } from './last-run-fence';

/** What shapes a process of a session for one person, whether a turn is there already or is only expected. */
export interface SessionToRun {
  sessionId: string;
  teamId: string;
  projectId: string;
  /** Every write to the session's log for this turn carries it. */
  fence: bigint;
  author: Turn['author'];
  options: ResolvedOptions;
  /** As it was resolved when the turn was accepted; whatever the session has now. */
  persona: ResolvedPersona | null;
  session: Pick<
    Session,
    'ownerId' | 'title' | 'mode' | 'workspace' | 'harness' | 'visibility' | 'claudeSessionId' | 'bootFingerprint'
  > & {
    options: Options;
    /** The checkout that it shares with others; null where it has its own. */
    sharedWorkspaceId: string | null;
    bootedAt: Date | null;
    /** The stored state of transcript and workspace, and its blob; null while nothing was stored. */
    stateVersion: number;
    stateKey: string | null;
    /** The highest fence of a turn that had a process and is over; null when there was none. */
    lastRunFence: bigint | null;
    /** The worker that held the session before. */
    previousHolderId: string | null;
  };
  project: {
    id: string;
    name: string;
    source: ProjectSource;
    bundleKey: string | null;
    createdAt: Date;
    /** What its sandboxes may reach: hosts through the proxy, and the search of the model's service. */
    egress: { hosts: string[]; webSearch: boolean };
    setupScript: string | null;
    hasVariables: boolean;
  };
}

/** Of `session s` and `project p`. */
export const SESSION_TO_RUN_COLUMNS = `s.id AS session_id, s.team_id, s.project_id, s.owner_id, s.title, s.mode,
  s.workspace, s.shared_workspace_id, s.harness, s.visibility,
  s.options AS session_options, s.claude_session_id, s.boot_fingerprint, s.booted_at, s.state_version, s.state_key,
    s.holder_worker_id,
  ${LAST_RUN_FENCE} AS last_run_fence, p.name AS project_name, p.created_at AS project_created_at,
    p.source AS project_source, p.bundle_key,
  p.egress_hosts, p.web_search, p.setup_script, EXISTS (SELECT 1 FROM project_variable v
    WHERE v.project_id = p.id) AS has_variables`;

/** The turn's author, options and persona come from its row, or from what it is expected to have. */
export type SessionToRunRow = Pick<TurnRow, 'author_id' | 'author_name' | 'author_class' | 'options' | 'persona'> &
  Pick<SessionCursorRow, 'fence'> &
  Pick<
    SessionRow,
    | 'team_id'
    | 'project_id'
    | 'owner_id'
    | 'title'
    | 'mode'
    | 'workspace'
    | 'shared_workspace_id'
    | 'harness'
    | 'visibility'
    | 'claude_session_id'
    | 'boot_fingerprint'
    | 'booted_at'
    | 'state_version'
    | 'state_key'
    | 'holder_worker_id'
  > &
  Pick<ProjectRow, 'bundle_key' | 'egress_hosts' | 'web_search' | 'setup_script'> & {
    session_id: SessionRow['id'];
    session_options: SessionRow['options'];
    last_run_fence: TurnRow['fence'] | null;
    project_name: ProjectRow['name'];
    project_created_at: ProjectRow['created_at'];
    project_source: ProjectRow['source'];
    has_variables: boolean;
  };

export function sessionToRunFromRow(row: SessionToRunRow): SessionToRun {
  return {
    sessionId: row.session_id,
    teamId: row.team_id,
    projectId: row.project_id,
    fence: BigInt(row.fence),
    author: { userId: row.author_id, name: row.author_name, identityClass: row.author_class },
    options: JSON.parse(row.options) as ResolvedOptions,
    persona: row.persona === null ? null : (JSON.parse(row.persona) as ResolvedPersona),
    session: {
      ownerId: row.owner_id,
      title: row.title,
      mode: row.mode,
      workspace: row.workspace,
      sharedWorkspaceId: row.shared_workspace_id,
      harness: row.harness,
      visibility: row.visibility,
      options: row.session_options,
      claudeSessionId: row.claude_session_id,
      bootFingerprint: row.boot_fingerprint,
      bootedAt: row.booted_at,
      stateVersion: row.state_version,
      stateKey: row.state_key,
      lastRunFence: row.last_run_fence === null ? null : BigInt(row.last_run_fence),
      previousHolderId: row.holder_worker_id,
    },
    project: {
      id: row.project_id,
      name: row.project_name,
      source: row.project_source,
      bundleKey: row.bundle_key,
      createdAt: row.project_created_at,
      egress: { hosts: row.egress_hosts, webSearch: row.web_search },
      setupScript: row.setup_script,
      hasVariables: row.has_variables,
    },
  };
}
