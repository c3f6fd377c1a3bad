import { overDatabase } from '../connection/repository-providers';
import { AttachmentRepository } from './attachment.repository';

export const attachmentRepositories = overDatabase(AttachmentRepository);
