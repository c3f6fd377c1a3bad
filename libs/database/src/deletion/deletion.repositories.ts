import { overDatabase } from '../connection/repository-providers';
import { DeletionRepository } from './deletion.repository';
import { PurgeRepository } from './purge.repository';

export const deletionRepositories = overDatabase(DeletionRepository, PurgeRepository);
