import { overDatabase } from '../connection/repository-providers';
import { SearchBacklogRepository } from './search-backlog.repository';
import { SearchRepository } from './search.repository';

export const searchRepositories = overDatabase(SearchBacklogRepository, SearchRepository);
