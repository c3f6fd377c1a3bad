import { overDatabase } from '../connection/repository-providers';
import { ParkedProcessRepository } from './parked-process.repository';

export const processRepositories = overDatabase(ParkedProcessRepository);
