import type {
  GitHostKind,
  PullRequestCheck,
  PullRequestOptions,
  PullRequestReading,
  PullRequestToOpen,
} from '@chirality/contracts';

/** An opened account of one host. A user name is of no use to the APIs. */
export type HostCredential = { token: string };

export type PullRequestOfHost = { number: number; url: string; state: PullRequestReading['state'] };

export type MergeToOpen = PullRequestToOpen & { base: string };

/** `checksAreHidden`: the host does not show this account all of them. */
export type ChecksOfHost = { checks: PullRequestCheck[]; checksAreHidden?: true };
export type ReadingOfHost = PullRequestReading & ChecksOfHost;

/** What is asked of a git host about one repository. Every method throws what `hostCallErrorOf` knows. */
export interface GitHost {
  readonly kind: GitHostKind;
  /** With its port where that is not the usual one. */
  readonly name: string;
  /** The default branch, and people who can be asked for a review as far as this account sees them. */
  readOptions(): Promise<Pick<PullRequestOptions, 'base' | 'reviewers'>>;
  /** The open one of that branch of this repository. */
  findOpen(head: string): Promise<PullRequestOfHost | null>;
  open(wanted: MergeToOpen): Promise<PullRequestOfHost>;
  /** Answers those that were not asked. */
  askReviewers(number: number, reviewers: readonly string[]): Promise<string[]>;
  read(number: number): Promise<ReadingOfHost>;
}
