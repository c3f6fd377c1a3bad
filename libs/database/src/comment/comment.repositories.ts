import { overDatabase } from '../connection/repository-providers';
import { CommentRepository } from './comment.repository';

export const commentRepositories = overDatabase(CommentRepository);
