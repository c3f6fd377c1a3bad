import { Module } from '@nestjs/common';
import { SearchBacklogRepository } from '@chirality/database';
import { LOG, type Logger } from '@chirality/platform';
import { rareWarning } from '../core/rare-log';
import { SearchBacklog } from './search-backlog';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';

@Module({
  controllers: [SearchController],
  providers: [
    {
      provide: SearchBacklog,
      inject: [SearchBacklogRepository, LOG],
      useFactory: (backlog: SearchBacklogRepository, log: Logger) =>
        new SearchBacklog({ backlog, onError: rareWarning(log, 'search.backlog_not_taken') }),
    },
    SearchService,
  ],
})
export class SearchModule {}
