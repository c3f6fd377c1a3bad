import { overDatabase } from '../connection/repository-providers';
import { ScheduleRepository } from './schedule.repository';

export const scheduleRepositories = overDatabase(ScheduleRepository);
