/** A pull or merge request of a double. */
export type DoublePull = {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
  state: 'open' | 'closed' | 'merged';
  reviewers: string[];
};

type DoubleCheck = { id: number; name: string; status: 'passed' | 'failed' | 'running'; log: string };
type DoubleComment = {
  id: number;
  author: string;
  body: string;
  path?: string;
  line?: number;
  isResolved?: boolean;
};

export type HostApiAnswer = { status: number; body?: unknown; text?: string; headers?: Record<string, string> };
export type HostApiCall = { method: string; path: string; query: URLSearchParams; body: Record<string, unknown> };

/** What a test sets and looks at. */
export class HostApiState {
  readonly pulls: DoublePull[] = [];
  readonly checks: DoubleCheck[] = [];
  readonly comments: DoubleComment[] = [];
  readonly people = ['ada', 'grace'];
  defaultBranch = 'main';
  /** The only token that is accepted. */
  token = 'host-token-for-tests';
  repository = 'ada/engine';
  /** Where people see it: `https://host:port`. */
  origin = 'https://host.test.example';
  /** The commit that the branch of a pull request is at. */
  sha = 'a'.repeat(40);
  /** The head of every pull request is in a fork, where its checks run as well. */
  isFromFork = false;
  /** Whether the logs of jobs are given out, where a vendor's older versions have no such routes. */
  hasJobLogs = false;
  /** Answers in place of the double for as long as it answers something. */
  instead: (call: HostApiCall) => HostApiAnswer | null = () => null;

  create(wanted: Omit<DoublePull, 'number' | 'state' | 'reviewers'>): DoublePull | null {
    if (this.pulls.some(({ head, state }) => head === wanted.head && state === 'open')) return null;
    const pull: DoublePull = { ...wanted, number: this.pulls.length + 1, state: 'open', reviewers: [] };
    this.pulls.push(pull);
    return pull;
  }

  find(number: string): DoublePull | undefined {
    return this.pulls.find((pull) => pull.number === Number(number));
  }

  url(pull: DoublePull): string {
    return `${this.origin}/${this.repository}/pull/${pull.number}`;
  }
}

/** How one vendor's API shows the state: routes of the repository, below the API's root. */
export type HostApiRoutes = {
  root: string;
  /** The version endpoint that people find it out by, with or without a token. */
  probe: { path: string; answer: HostApiAnswer };
  tokenOf(headers: Record<string, string | string[] | undefined>): string | null;
  answer(call: HostApiCall, state: HostApiState): HostApiAnswer;
  /** Routes that the vendor has and its description lacks; null for every other one. */
  undescribed?(call: HostApiCall, state: HostApiState): HostApiAnswer | null;
};

export const notFound: HostApiAnswer = { status: 404, body: { message: 'Not Found' } };
