import { overDatabase } from '../connection/repository-providers';
import { PresenceRepository } from './presence.repository';

export const presenceRepositories = overDatabase(PresenceRepository);
