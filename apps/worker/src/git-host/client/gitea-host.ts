import type { CheckStatus, PullRequestReading, PullRequestReview } from '@chirality/contracts';
import { giteaApi } from 'gitea-js';
import type {
  ChecksOfHost,
  GitHost,
  HostCredential,
  MergeToOpen,
  PullRequestOfHost,
  ReadingOfHost,
} from './git-host.types';
import {
  combinedStatusSchema,
  commentsSchema,
  pullSchema,
  pullsSchema,
  repositorySchema,
  reviewCommentsSchema,
  reviewersSchema,
  reviewsSchema,
  type GiteaPull,
} from './gitea-answers';
import { orWithout } from '../call/host-call-error';
import { hostFetch } from '../call/host-fetch';
import type { HostNetwork } from '../call/host-request';
import { readJobLogs, type GiteaReading } from './gitea-job-logs';
import { checkOfHost, MAX_REVIEWS, nameOfHost, reviewOfHost, withDistinctNames } from './host-text';
import { readAnswer } from './read-as';

const PAGE_SIZE = 50;
/** Open ones that are looked through for one of a branch, latest first. */
const MAX_PAGES = 10;
const MAX_READ_REVIEWS = 20;

type Place = { host: string; owner: string; repo: string };

/** Gitea and Forgejo, by gitea-js, which puts what it is given into its paths as it is. */
export class GiteaHost implements GitHost {
  readonly kind = 'gitea';
  readonly name: string;
  private readonly api: ReturnType<typeof giteaApi>['repos'];
  private readonly reading: GiteaReading;
  private readonly at: readonly [owner: string, repo: string];

  constructor(
    private readonly place: Place,
    network: HostNetwork,
    credential: HostCredential | null,
  ) {
    this.name = place.host;
    const token = credential?.token ?? null;
    this.at = [encodeURIComponent(place.owner), encodeURIComponent(place.repo)];
    const clientWith = (customFetch: typeof fetch) =>
      giteaApi(`https://${place.host}`, { ...(token === null ? {} : { token }), customFetch });
    const client = clientWith(hostFetch(network, token));
    const logs = clientWith(hostFetch(network, token, { keepTail: true }));
    this.api = client.repos;
    // The client has no functions for these routes yet.
    const path = (rest: string) => `/repos/${this.at.join('/')}/${rest}`;
    this.reading = {
      json: async (rest) =>
        (await client.request<unknown>({ path: path(rest), method: 'GET', secure: true, format: 'json' })).data,
      tail: async (rest) =>
        (await logs.request<string>({ path: path(rest), method: 'GET', secure: true, format: 'text' })).data,
    };
  }

  async readOptions(): ReturnType<GitHost['readOptions']> {
    const [repository, reviewers] = await Promise.all([
      this.api.repoGet(...this.at),
      orWithout<unknown>(
        this.api.repoGetReviewers(...this.at).then(({ data }) => data),
        [],
      ),
    ]);
    return {
      base: this.parse(repositorySchema, repository.data).default_branch,
      reviewers: this.parse(reviewersSchema, reviewers).map(({ login, full_name }) => ({
        name: nameOfHost(login),
        displayName: full_name ? nameOfHost(full_name) : null,
      })),
    };
  }

  async findOpen(head: string): Promise<PullRequestOfHost | null> {
    const full = `${this.place.owner}/${this.place.repo}`.toLowerCase();
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { data } = await this.api.repoListPullRequests(...this.at, {
        state: 'open',
        sort: 'recentupdate',
        page,
        limit: PAGE_SIZE,
      });
      const pulls = this.parse(pullsSchema, data);
      const found = pulls.find(
        (pull) => pull.head.ref === head && (pull.head.repo?.full_name ?? full).toLowerCase() === full,
      );
      if (found) return shortOf(found);
      // The server's own limit may be less than what was asked for: a short page need not be the last.
      if (pulls.length === 0) return null;
    }
    return null;
  }

  async open({ title, body, base, head, draft }: MergeToOpen): Promise<PullRequestOfHost> {
    const { data } = await this.api.repoCreatePullRequest(...this.at, {
      title: draft && !/^(?:wip:|\[wip\])/i.test(title) ? `WIP: ${title}` : title,
      body,
      base,
      head,
    });
    return shortOf(this.parse(pullSchema, data));
  }

  async askReviewers(number: number, reviewers: readonly string[]): Promise<string[]> {
    const asked = this.api.repoCreatePullReviewRequests(...this.at, number, { reviewers: [...reviewers] });
    return orWithout(
      asked.then(() => []),
      [...reviewers],
    );
  }

  async read(number: number): Promise<ReadingOfHost> {
    const { data } = await this.api.repoGetPullRequest(...this.at, number);
    const pull = this.parse(pullSchema, data);
    const [checks, reviews] = await Promise.all([this.readChecks(pull.head.sha), this.readReviews(number)]);
    return {
      title: nameOfHost(pull.title),
      state: stateOf(pull),
      draft: pull.draft ?? /^(?:wip:|\[wip\])/i.test(pull.title),
      ...checks,
      reviews,
    };
  }

  /** Where its API gives out no log, a status' description is all that is known of why it failed. */
  private async readChecks(sha: string): Promise<ChecksOfHost> {
    const combined = await orWithout<unknown>(
      this.api
        .repoGetCombinedStatusByRef(...this.at, encodeURIComponent(sha), { limit: PAGE_SIZE })
        .then((answer) => answer.data),
      null,
    );
    if (combined === null) return { checks: [], checksAreHidden: true };
    const statuses = this.parse(combinedStatusSchema, combined).statuses ?? [];
    const failed = statuses.filter(({ status }) => STATUS_OF_STATE[status] === 'failed').map(({ context }) => context);
    const logs = await readJobLogs(this.reading, sha, failed);
    const checks = withDistinctNames(
      statuses.map(({ context, status, target_url, description }) =>
        checkOfHost({
          name: context,
          status: STATUS_OF_STATE[status] ?? 'waiting',
          // Its own runs have a path on the host.
          url: target_url?.startsWith('/') ? `https://${this.place.host}${target_url}` : (target_url ?? null),
          log: logs.get(context) ?? description ?? null,
        }),
      ),
    );
    return { checks };
  }

  private async readReviews(number: number): Promise<PullRequestReview[]> {
    const [reviews, comments] = await Promise.all([
      this.api.repoListPullReviews(...this.at, number, { limit: PAGE_SIZE }),
      this.api.issueGetComments(...this.at, number),
    ]);
    const submitted = this.parse(reviewsSchema, reviews.data).filter(
      ({ state }) => STATE_OF_REVIEW[state] !== undefined,
    );
    const lines = await Promise.all(
      submitted
        .filter(({ comments_count }) => (comments_count ?? 0) > 0)
        .slice(-MAX_READ_REVIEWS)
        .map(({ id }) => this.readLines(number, id)),
    );
    return [
      ...submitted
        .filter(({ state, body }) => state !== 'COMMENT' || body)
        .map(({ id, user, body, state, dismissed }) =>
          reviewOfHost({
            id: `review-${id}`,
            author: user?.login ?? 'ghost',
            body: body ?? '',
            state: dismissed === true ? 'dismissed' : (STATE_OF_REVIEW[state] ?? 'commented'),
          }),
        ),
      ...lines.flat(),
      ...this.parse(commentsSchema, comments.data).map(({ id, user, body }) =>
        reviewOfHost({ id: `comment-${id}`, author: user?.login ?? 'ghost', body: body ?? '', state: 'commented' }),
      ),
    ].slice(0, MAX_REVIEWS);
  }

  /** `position` is the line in the changed file; 0 where it is on the other side or gone. */
  private async readLines(number: number, review: number): Promise<PullRequestReview[]> {
    const { data } = await this.api.repoGetPullReviewComments(...this.at, number, review);
    return this.parse(reviewCommentsSchema, data).map(
      ({ id, user, path, position, original_position, body, resolver }) =>
        reviewOfHost({
          id: `line-${id}`,
          author: user?.login ?? 'ghost',
          path,
          line: position || original_position || null,
          body,
          state: resolver ? 'resolved' : 'commented',
        }),
    );
  }

  private parse<T>(schema: { safeParse(value: unknown): { success: boolean; data?: T } }, answer: unknown): T {
    return readAnswer(this.place.host, schema, answer);
  }
}

const STATUS_OF_STATE: Readonly<Record<string, CheckStatus>> = {
  success: 'passed',
  warning: 'passed',
  pending: 'running',
  failure: 'failed',
  error: 'failed',
  skipped: 'skipped',
};

const STATE_OF_REVIEW: Readonly<Record<string, PullRequestReview['state']>> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  COMMENT: 'commented',
};

function stateOf({ state, merged }: GiteaPull): PullRequestReading['state'] {
  if (merged === true) return 'merged';
  return state === 'open' ? 'open' : 'closed';
}

function shortOf(pull: GiteaPull): PullRequestOfHost {
  return { number: pull.number, url: pull.html_url, state: stateOf(pull) };
}
