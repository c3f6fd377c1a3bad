import { overDatabase } from '../connection/repository-providers';
import { GitAccountRepository } from './git-account.repository';
import { GitHostKeyRepository } from './git-host-key.repository';

export const gitAccountRepositories = overDatabase(GitAccountRepository, GitHostKeyRepository);
