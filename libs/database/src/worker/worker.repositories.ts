import { overDatabase } from '../connection/repository-providers';
import { WorkerProcessRepository } from './worker-process.repository';
import { WorkerRepository } from './worker.repository';

export const workerRepositories = overDatabase(WorkerProcessRepository, WorkerRepository);
