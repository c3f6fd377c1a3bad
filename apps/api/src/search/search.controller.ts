import { Controller, Get } from '@nestjs/common';
import { pageSchema, searchHitSchema, searchQuerySchema, type Page, type SearchHit } from '@chirality/contracts';
import type { z } from 'zod';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { QueryOf } from '../core/http/validate';
import { SearchService } from './search.service';

@Controller('v1/search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @Answers(
    200,
    pageSchema(searchHitSchema),
    'Search titles, messages, answers, tool inputs and outputs, and paths of the sessions that I may see, latest first',
  )
  search(
    @CurrentUser() who: Principal,
    @QueryOf(searchQuerySchema) query: z.infer<typeof searchQuerySchema>,
  ): Promise<Page<SearchHit>> {
    return this.searches.search(who, query);
  }
}
