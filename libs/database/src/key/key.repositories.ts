import { overDatabase } from '../connection/repository-providers';
import { ModelKeyRepository } from './model-key.repository';

export const keyRepositories = overDatabase(ModelKeyRepository);
