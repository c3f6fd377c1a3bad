import { overEventLog } from '../connection/repository-providers';
import { TurnRepository } from './turn.repository';

export const turnRepositories = overEventLog(TurnRepository);
