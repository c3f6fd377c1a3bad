import { overDatabase } from '../connection/repository-providers';
import { GitWebhookRepository } from './git-webhook.repository';
import { PullRequestRepository } from './pull-request.repository';

export const pullRequestRepositories = overDatabase(GitWebhookRepository, PullRequestRepository);
