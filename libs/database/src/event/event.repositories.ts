import { overDatabase } from '../connection/repository-providers';
import { EventRepository } from './event.repository';
import { TranscriptPageRepository } from './transcript-page.repository';

export const eventRepositories = overDatabase(EventRepository, TranscriptPageRepository);
