import { overDatabase } from '../connection/repository-providers';
import { ApiTokenRepository } from './api-token.repository';

export const tokenRepositories = overDatabase(ApiTokenRepository);
