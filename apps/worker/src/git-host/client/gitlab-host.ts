import type { CheckStatus, PullRequestReading, PullRequestReview } from '@chirality/contracts';
import { Commits, Jobs, MergeRequestDiscussions, MergeRequests, ProjectMembers, Projects } from '@gitbeaker/rest';
import type {
  ChecksOfHost,
  GitHost,
  HostCredential,
  MergeToOpen,
  PullRequestOfHost,
  ReadingOfHost,
} from './git-host.types';
import {
  commitStatusesSchema,
  discussionsSchema,
  membersSchema,
  mergeRequestSchema,
  projectSchema,
  type GitlabMergeRequest,
  type GitlabNote,
} from './gitlab-answers';
import { gitlabRequester } from './gitlab-requester';
import { orWithout } from '../call/host-call-error';
import { hostFetch } from '../call/host-fetch';
import type { HostNetwork } from '../call/host-request';
import { checkOfHost, MAX_LOGS, MAX_REVIEWS, nameOfHost, reviewOfHost, withDistinctNames } from './host-text';
import { readAnswer } from './read-as';
import type { RemoteRepository } from '../call/remote-repository';

const PAGE = { perPage: 100, maxPages: 1 } as const;
const FIRST_ACCESS_THAT_REVIEWS = 20;

/** GitLab, by Gitbeaker. */
export class GitlabHost implements GitHost {
  readonly kind = 'gitlab';
  readonly name: string;
  private readonly options;
  private readonly logOptions;

  constructor(
    private readonly place: RemoteRepository,
    network: HostNetwork,
    credential: HostCredential | null,
  ) {
    this.name = place.host;
    const token = credential?.token ?? null;
    const base = {
      host: `https://${place.host}`,
      // The dialer limits each call; the client's timer would keep the process.
      queryTimeout: null,
      ...(token === null ? {} : { token }),
    };
    this.options = { ...base, requesterFn: gitlabRequester(hostFetch(network, token)) };
    this.logOptions = { ...base, requesterFn: gitlabRequester(hostFetch(network, token, { keepTail: true })) };
  }

  async readOptions(): ReturnType<GitHost['readOptions']> {
    const { path } = this.place;
    const [project, members] = await Promise.all([new Projects(this.options).show(path), this.readMembers()]);
    return {
      base: this.parse(projectSchema, project).default_branch,
      reviewers: members.map(({ username, name }) => ({ name: nameOfHost(username), displayName: nameOfHost(name) })),
    };
  }

  async findOpen(head: string): Promise<PullRequestOfHost | null> {
    const found = await new MergeRequests(this.options).all({
      projectId: this.place.path,
      sourceBranch: head,
      state: 'opened',
      perPage: 1,
      maxPages: 1,
    });
    const [first] = this.parse(mergeRequestSchema.array(), found);
    return first ? shortOf(first) : null;
  }

  async open({ title, body, base, head, draft, reviewers }: MergeToOpen): Promise<PullRequestOfHost> {
    const reviewerIds = await this.idsOf(reviewers);
    const opened = await new MergeRequests(this.options).create(
      this.place.path,
      head,
      base,
      draft && !/^draft:/i.test(title) ? `Draft: ${title}` : title,
      { description: body, ...(reviewerIds.length > 0 ? { reviewerIds } : {}) },
    );
    return shortOf(this.parse(mergeRequestSchema, opened));
  }

  /** They were asked when it was opened. */
  async askReviewers(number: number, reviewers: readonly string[]): Promise<string[]> {
    const shown = await new MergeRequests(this.options).show(this.place.path, number);
    const asked = new Set(
      (this.parse(mergeRequestSchema, shown).reviewers ?? []).map(({ username }) => username.toLowerCase()),
    );
    return reviewers.filter((name) => !asked.has(name.toLowerCase()));
  }

  async read(number: number): Promise<ReadingOfHost> {
    const shown = await new MergeRequests(this.options).show(this.place.path, number);
    const request = this.parse(mergeRequestSchema, shown);
    const [checks, reviews] = await Promise.all([
      request.sha ? this.readChecks(request.sha, forkOf(request)) : { checks: [] },
      this.readReviews(number),
    ]);
    return {
      title: nameOfHost(request.title),
      state: stateOf(request.state),
      draft: request.draft === true || request.work_in_progress === true,
      ...checks,
      reviews,
    };
  }

  /**
   * Jobs of its pipelines and statuses that other services set are one list, the newest of each name. What comes from a
   * fork runs in the fork, and here only where someone of this project started it.
   */
  private async readChecks(sha: string, fork: number | null): Promise<ChecksOfHost> {
    const places = [this.place.path, ...(fork === null ? [] : [fork])];
    const read = await Promise.all(places.map((place) => this.readStatuses(place, sha)));
    if (read.every((statuses) => statuses === null)) return { checks: [], checksAreHidden: true };
    const statuses = read.flatMap((rows) => rows ?? []);
    const failed = statuses.filter(({ status, allow_failure }) => status === 'failed' && allow_failure !== true);
    const jobs = new Jobs(this.logOptions);
    const logs = new Map(
      await Promise.all(
        failed.slice(0, MAX_LOGS).map(async ({ id, place }) => {
          // One that another service set has no log.
          const log: unknown = await jobs.showLog(place, id).catch(() => null);
          return [id, typeof log === 'string' ? log : ''] as const;
        }),
      ),
    );
    const checks = withDistinctNames(
      statuses.map(({ id, name, status, allow_failure, target_url, description }) =>
        checkOfHost({
          name,
          status: status === 'failed' && allow_failure === true ? 'passed' : (STATUS_OF_JOB[status] ?? 'waiting'),
          url: target_url ?? null,
          log: logs.get(id) || (description ?? null),
        }),
      ),
    );
    return { checks };
  }

  /** Null: this account is not shown them. */
  private async readStatuses(place: string | number, sha: string) {
    const options = { perPage: 100 } as object;
    const answer = await orWithout<unknown>(new Commits(this.options).allStatuses(place, sha, options), null);
    return answer === null ? null : this.parse(commitStatusesSchema, answer).map((row) => ({ ...row, place }));
  }

  private async readReviews(number: number): Promise<PullRequestReview[]> {
    const discussions = await new MergeRequestDiscussions(this.options).all(this.place.path, number, PAGE);
    return this.parse(discussionsSchema, discussions)
      .flatMap(({ notes }) => notes)
      .filter(({ system }) => system !== true)
      .slice(0, MAX_REVIEWS)
      .map((note) =>
        reviewOfHost({
          id: `note-${note.id}`,
          author: note.author?.username ?? 'ghost',
          path: note.position?.new_path ?? note.position?.old_path ?? null,
          line: note.position?.new_line ?? note.position?.old_line ?? null,
          body: note.body,
          state: stateOfNote(note),
        }),
      );
  }

  private async idsOf(reviewers: readonly string[]): Promise<number[]> {
    if (reviewers.length === 0) return [];
    const names = new Set(reviewers.map((name) => name.toLowerCase()));
    return (await this.readMembers()).filter(({ username }) => names.has(username.toLowerCase())).map(({ id }) => id);
  }

  /** Those of the project and of the groups above it that may read its code. */
  private async readMembers() {
    const members = await orWithout<unknown>(
      new ProjectMembers(this.options).all(this.place.path, { includeInherited: true, ...PAGE }),
      [],
    );
    return this.parse(membersSchema, members).filter(
      ({ state, access_level }) => state === 'active' && access_level >= FIRST_ACCESS_THAT_REVIEWS,
    );
  }

  private parse<T>(schema: { safeParse(value: unknown): { success: boolean; data?: T } }, answer: unknown): T {
    return readAnswer(this.place.host, schema, answer);
  }
}

const STATUS_OF_JOB: Readonly<Record<string, CheckStatus>> = {
  success: 'passed',
  failed: 'failed',
  running: 'running',
  canceled: 'cancelled',
  canceling: 'cancelled',
  skipped: 'skipped',
  manual: 'skipped',
};

function stateOf(state: string): PullRequestReading['state'] {
  if (state === 'merged') return 'merged';
  // Locked: it is being merged.
  return state === 'opened' || state === 'locked' ? 'open' : 'closed';
}

function stateOfNote({ resolvable, resolved }: GitlabNote): PullRequestReview['state'] {
  return resolvable === true && resolved === true ? 'resolved' : 'commented';
}

function shortOf({ iid, web_url, state }: { iid: number; web_url: string; state: string }): PullRequestOfHost {
  return { number: iid, url: web_url, state: stateOf(state) };
}

function forkOf({ source_project_id: source, target_project_id: target }: GitlabMergeRequest): number | null {
  return source != null && target != null && source !== target ? source : null;
}
