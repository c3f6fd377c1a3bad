import type { CheckStatus, PullRequestReading, PullRequestReview } from '@chirality/contracts';
import { Octokit } from '@octokit/rest';
import type {
  ChecksOfHost,
  GitHost,
  HostCredential,
  MergeToOpen,
  PullRequestOfHost,
  ReadingOfHost,
} from './git-host.types';
import {
  checkRunsSchema,
  collaboratorsSchema,
  commentsSchema,
  pullSchema,
  repositorySchema,
  reviewCommentsSchema,
  reviewsSchema,
  statusesSchema,
  type GitHubCheckRun,
  type GitHubPull,
} from './github-answers';
import { orWithout } from '../call/host-call-error';
import { hostFetch } from '../call/host-fetch';
import type { HostNetwork } from '../call/host-request';
import { checkOfHost, MAX_LOGS, MAX_REVIEWS, nameOfHost, reviewOfHost, withDistinctNames } from './host-text';
import { readAnswer } from './read-as';

const PAGE = { per_page: 100 };
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const ACTIONS = 'github-actions';

type Place = { host: string; owner: string; repo: string };

/** GitHub and GitHub Enterprise, by Octokit. */
export class GitHubHost implements GitHost {
  readonly kind = 'github';
  readonly name: string;
  private readonly client: Octokit;
  private readonly logFetch: typeof fetch;

  constructor(
    private readonly place: Place,
    network: HostNetwork,
    credential: HostCredential | null,
  ) {
    this.name = place.host;
    const token = credential?.token ?? null;
    this.logFetch = hostFetch(network, token, { keepTail: true });
    this.client = new Octokit({
      ...(token === null ? {} : { auth: token }),
      baseUrl: apiOf(place.host),
      log: SILENT,
      request: { fetch: hostFetch(network, token) },
    });
  }

  async readOptions(): ReturnType<GitHost['readOptions']> {
    const [repository, people] = await Promise.all([
      this.client.rest.repos.get(this.at()),
      orWithout(
        this.client.rest.repos.listCollaborators({ ...this.at(), ...PAGE }).then(({ data }) => data as unknown),
        [],
      ),
    ]);
    return {
      base: this.parse(repositorySchema, repository.data).default_branch,
      reviewers: this.parse(collaboratorsSchema, people).map(({ login }) => ({
        name: nameOfHost(login),
        displayName: null,
      })),
    };
  }

  async findOpen(head: string): Promise<PullRequestOfHost | null> {
    const { owner } = this.place;
    const { data } = await this.client.rest.pulls.list({
      ...this.at(),
      head: `${owner}:${head}`,
      state: 'open',
      per_page: 1,
    });
    const [found] = this.parse(pullSchema.array(), data);
    return found ? shortOf(found) : null;
  }

  async open({ title, body, base, head, draft }: MergeToOpen): Promise<PullRequestOfHost> {
    const { data } = await this.client.rest.pulls.create({ ...this.at(), title, body, base, head, draft });
    return shortOf(this.parse(pullSchema, data));
  }

  async askReviewers(number: number, reviewers: readonly string[]): Promise<string[]> {
    const asked = this.client.rest.pulls.requestReviewers({
      ...this.at(),
      pull_number: number,
      reviewers: [...reviewers],
    });
    return orWithout(
      asked.then(() => []),
      [...reviewers],
    );
  }

  async read(number: number): Promise<ReadingOfHost> {
    const { data } = await this.client.rest.pulls.get({ ...this.at(), pull_number: number });
    const pull = this.parse(pullSchema, data);
    const [checks, reviews] = await Promise.all([this.readChecks(pull.head.sha), this.readReviews(number)]);
    return { title: nameOfHost(pull.title), state: stateOf(pull), draft: pull.draft === true, ...checks, reviews };
  }

  /** Checks of apps, and statuses that other services set on the commit. */
  private async readChecks(ref: string): Promise<ChecksOfHost> {
    const { rest } = this.client;
    const [runs, statuses] = await Promise.all([
      orWithout(
        rest.checks.listForRef({ ...this.at(), ref, ...PAGE }).then(({ data }) => data as unknown),
        null,
      ),
      orWithout(
        rest.repos.getCombinedStatusForRef({ ...this.at(), ref, ...PAGE }).then(({ data }) => data as unknown),
        null,
      ),
    ]);
    const { check_runs } = this.parse(checkRunsSchema, runs ?? { check_runs: [] });
    const logs = await this.readLogs(check_runs);
    const checks = withDistinctNames([
      ...check_runs.map((run) =>
        checkOfHost({
          name: run.name,
          status: statusOfRun(run),
          url: run.html_url ?? run.details_url ?? null,
          log: logs.get(run.id) ?? reportOf(run),
        }),
      ),
      ...this.parse(statusesSchema, statuses ?? { statuses: [] }).statuses.map((status) =>
        checkOfHost({
          name: status.context,
          status: STATUS_OF_STATE[status.state] ?? 'waiting',
          url: status.target_url ?? null,
          log: status.description ?? null,
        }),
      ),
    ]);
    return { checks, ...(runs === null || statuses === null ? { checksAreHidden: true } : {}) };
  }

  /** A job of GitHub's own runner has the id of its check. */
  private async readLogs(runs: readonly GitHubCheckRun[]): Promise<Map<number, string>> {
    const failed = runs.filter((run) => run.app?.slug === ACTIONS && statusOfRun(run) === 'failed').slice(0, MAX_LOGS);
    const logs = await Promise.all(
      failed.map(async ({ id }) => {
        const log = this.client.rest.actions.downloadJobLogsForWorkflowRun({
          ...this.at(),
          job_id: id,
          request: { fetch: this.logFetch },
        });
        const text: unknown = await log.then(({ data }) => data).catch(() => null);
        return [id, typeof text === 'string' ? text : ''] as const;
      }),
    );
    return new Map(logs.filter(([, text]) => text !== ''));
  }

  private async readReviews(number: number): Promise<PullRequestReview[]> {
    const at = { ...this.at(), ...PAGE };
    const { rest } = this.client;
    const [reviews, lines, comments] = await Promise.all([
      rest.pulls.listReviews({ ...at, pull_number: number }),
      rest.pulls.listReviewComments({ ...at, pull_number: number }),
      rest.issues.listComments({ ...at, issue_number: number }),
    ]);
    return [
      ...this.parse(reviewsSchema, reviews.data)
        // What is written but not submitted, and the empty shell around comments on lines.
        .filter(({ state, body }) => STATE_OF_REVIEW[state] !== undefined && (state !== 'COMMENTED' || body))
        .map(({ id, user, body, state }) =>
          reviewOfHost({
            id: `review-${id}`,
            author: user?.login ?? 'ghost',
            body: body ?? '',
            state: STATE_OF_REVIEW[state] ?? 'commented',
          }),
        ),
      ...this.parse(reviewCommentsSchema, lines.data).map(({ id, user, path, line, original_line, body }) =>
        reviewOfHost({
          id: `line-${id}`,
          author: user?.login ?? 'ghost',
          path,
          line: line ?? original_line ?? null,
          body,
          state: line === null ? 'outdated' : 'commented',
        }),
      ),
      ...this.parse(commentsSchema, comments.data).map(({ id, user, body }) =>
        reviewOfHost({ id: `comment-${id}`, author: user?.login ?? 'ghost', body: body ?? '', state: 'commented' }),
      ),
    ].slice(0, MAX_REVIEWS);
  }

  private at() {
    const { owner, repo } = this.place;
    return { owner, repo };
  }

  private parse<T>(schema: { safeParse(value: unknown): { success: boolean; data?: T } }, answer: unknown): T {
    return readAnswer(this.place.host, schema, answer);
  }
}

function apiOf(host: string): string {
  if (host === 'github.com') return 'https://api.github.com';
  return host.endsWith('.ghe.com') ? `https://api.${host}` : `https://${host}/api/v3`;
}

const STATUS_OF_STATE: Readonly<Record<string, CheckStatus>> = {
  success: 'passed',
  pending: 'running',
  failure: 'failed',
  error: 'failed',
};

const STATE_OF_REVIEW: Readonly<Record<string, PullRequestReview['state']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
};

function statusOfRun({ status, conclusion }: GitHubCheckRun): CheckStatus {
  if (status !== 'completed') return status === 'in_progress' ? 'running' : 'waiting';
  switch (conclusion) {
    case 'success':
    case 'neutral':
      return 'passed';
    case 'skipped':
      return 'skipped';
    case 'cancelled':
    case 'stale':
      return 'cancelled';
    default:
      return 'failed';
  }
}

/** What a check of another app says of itself. */
function reportOf({ output }: GitHubCheckRun): string {
  return [output?.title, output?.summary, output?.text].filter((part) => part).join('\n\n');
}

function stateOf({ state, merged, merged_at }: GitHubPull): PullRequestReading['state'] {
  if (merged === true || (merged_at ?? null) !== null) return 'merged';
  return state === 'open' ? 'open' : 'closed';
}

function shortOf(pull: GitHubPull): PullRequestOfHost {
  return { number: pull.number, url: pull.html_url, state: stateOf(pull) };
}
