import { overDatabase, overEventLog } from '../connection/repository-providers';
import { CustomEventRepository } from './custom-event.repository';
import { EventRepository } from './event.repository';
import { TranscriptPageRepository } from './transcript-page.repository';

export const eventRepositories = [
  ...overDatabase(EventRepository, TranscriptPageRepository),
  ...overEventLog(CustomEventRepository),
];
