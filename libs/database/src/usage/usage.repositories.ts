import { overDatabase } from '../connection/repository-providers';
import { UsageRepository } from './usage.repository';

export const usageRepositories = overDatabase(UsageRepository);
