import { overEventLog } from '../connection/repository-providers';
import { QueueItemRepository } from './queue-item.repository';

export const queueItemRepositories = overEventLog(QueueItemRepository);
