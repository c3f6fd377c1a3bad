import { overDatabase } from '../connection/repository-providers';
import { PullRequestRepository } from './pull-request.repository';

export const pullRequestRepositories = overDatabase(PullRequestRepository);
