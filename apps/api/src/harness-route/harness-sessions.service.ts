import { Injectable } from '@nestjs/common';
import type {
  BootedHarnessSession,
  BootHarnessSession,
  CreateHarnessSession,
  HarnessSession,
  HarnessSessionList,
  Project,
  Session,
} from '@chirality/contracts';
import { ProblemError } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { ProjectsService } from '../project/projects.service';
import { BootService } from '../session/boot.service';
import { SessionsService } from '../session/sessions.service';
import { TurnAcceptance } from '../turn/turn-acceptance';
import { TurnWatch } from '../turn/turn-watch';
import { optionsOf } from './harness-options';

const PAGE = 200;
/** A list without pages has an end all the same. */
const MAX_LISTED = 1_000;
const BOOTSTRAP_MESSAGE = 'This message only starts the conversation. Reply with: Ready.';
const BOOTSTRAP_LIMIT_MS = 60_000;

/** Sessions as the earlier harness knew them: of a directory, and with a conversation once they are booted. */
@Injectable()
export class HarnessSessionsService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly projects: ProjectsService,
    private readonly boots: BootService,
    private readonly acceptance: TurnAcceptance,
    private readonly watch: TurnWatch,
  ) {}

  async create(who: Principal, request: CreateHarnessSession): Promise<HarnessSession> {
    const projectId = await this.projectIdOf(who, request);
    const session = await this.sessions.create(who, {
      projectId,
      mode: request.mode,
      workspace: 'own',
      harness: 'claude-code',
      visibility: 'private',
      options: {},
      awaitsMessage: false,
      ...(request.persona ? { persona: request.persona } : {}),
    });
    return this.withRoot(who, session);
  }

  /** The latest 1,000 that the person may see and that are not archived. */
  async list(who: Principal, projectId: string | undefined): Promise<HarnessSessionList> {
    const found: Session[] = [];
    for (let cursor: string | undefined; found.length < MAX_LISTED;) {
      const page = await this.sessions.list(who, { projectId, archived: false, cursor, limit: PAGE });
      found.push(...page.data);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    const roots = new Map((await this.projectsOf(who)).map((project) => [project.id, rootOf(project)]));
    return found.map(({ id, createdAt, updatedAt, persona, mode, projectId: of }) => ({
      id,
      createdAt,
      updatedAt,
      persona,
      mode,
      projectRoot: roots.get(of) ?? null,
    }));
  }

  async get(who: Principal, sessionId: string): Promise<HarnessSession> {
    return this.withRoot(who, await this.sessions.get(who, sessionId));
  }

  archive(who: Principal, sessionId: string): Promise<void> {
    return this.sessions.archive(who, sessionId);
  }

  /** Our own boot needs no program; here the conversation begins too, by a short turn where there was none. */
  async boot(who: Principal, { sessionId, opts }: BootHarnessSession): Promise<BootedHarnessSession> {
    const options = optionsOf(opts);
    const { session, boot } = await this.boots.boot(who, sessionId, options);
    if (boot.claudeSessionId !== null) return { session: await this.withRoot(who, session), boot };
    const accepted = await this.acceptance.accept(who, session, {
      kind: 'message',
      message: BOOTSTRAP_MESSAGE,
      options,
    });
    const { turn, final } = await this.watch.untilFinal(accepted, undefined, BOOTSTRAP_LIMIT_MS);
    if (!final)
      throw new ProblemError('BOOT_IN_PROGRESS', 'The bootstrap turn still runs. Ask again in a moment.', {
        turnId: turn.id,
      });
    const booted = await this.get(who, sessionId);
    const { claudeSessionId, bootFingerprint, bootedAt } = booted;
    if (claudeSessionId === null)
      throw new ProblemError(
        'HARNESS_FAILURE',
        `The bootstrap turn began no conversation: ${turn.error?.detail ?? `it was ${turn.status}`}. Boot again.`,
        { turnId: turn.id, turnStatus: turn.status, error: turn.error },
      );
    return { session: booted, boot: { claudeSessionId, bootFingerprint, bootedAt } };
  }

  private async projectIdOf(who: Principal, request: CreateHarnessSession): Promise<string> {
    const { projectId, projectRoot } = request;
    if ((projectId === undefined) === (projectRoot === undefined))
      throw new ProblemError('VALIDATION_FAILED', 'Name the project by projectId or by projectRoot, and not by both.');
    if (projectId !== undefined) return projectId;
    const wanted = projectRoot?.replace(/(?<=.)\/+$/, '');
    const project = (await this.projectsOf(who)).find((each) => rootOf(each) === wanted);
    if (project === undefined)
      throw new ProblemError(
        'WORKING_ROOT_INACCESSIBLE',
        'No project that you may see is made from this directory. Make one from it first, or name a projectId.',
      );
    return project.id;
  }

  private async projectsOf(who: Principal): Promise<Project[]> {
    const found: Project[] = [];
    for (let cursor: string | undefined; found.length < MAX_LISTED;) {
      const page = await this.projects.list(who, { archived: false, cursor, limit: PAGE });
      found.push(...page.data);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    return found;
  }

  /** A session may be within reach of a token whose project is not. */
  private async withRoot(who: Principal, session: Session): Promise<HarnessSession> {
    const project = await this.projects.get(who, session.projectId).catch((error: unknown) => {
      if (error instanceof ProblemError) return null;
      throw error;
    });
    return { ...session, projectRoot: project && rootOf(project) };
  }
}

function rootOf({ source }: Pick<Project, 'source'>): string | null {
  return source.kind === 'directory' ? source.path.replace(/(?<=.)\/+$/, '') : null;
}
