import type { GitAccount } from '@chirality/contracts';

/** A git account for one act, its secret open. In memory only. */
export type OpenedGitAccount = Pick<GitAccount, 'id' | 'scope' | 'host' | 'kind' | 'username'> & {
  /** The token, or the private key as OpenSSH writes it. */
  secret: string;
};
