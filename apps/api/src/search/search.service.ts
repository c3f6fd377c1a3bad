import { Injectable } from '@nestjs/common';
import { isId, type Page, type SearchHit, type SearchQuery } from '@chirality/contracts';
import { SearchRepository } from '@chirality/database';
import { parseSearch } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { listWithin, type Principal } from '../access/principal';
import { cursorOf } from '../core/http/validate';

@Injectable()
export class SearchService {
  constructor(private readonly texts: SearchRepository) {}

  /** A filter that fits nothing, such as an id of another form, finds nothing. */
  async search(who: Principal, { q, projectId, userId, from, to, ...query }: SearchQuery): Promise<Page<SearchHit>> {
    const search = parseSearch(q);
    if ('fault' in search) throw new ProblemError('VALIDATION_FAILED', search.fault);
    const cursor = cursorOf(query);
    if (projectId !== undefined && !isId('project', projectId)) return { data: [], nextCursor: null };
    if (userId !== undefined && !isId('user', userId)) return { data: [], nextCursor: null };
    const { persona, status, model, limit } = query;
    return this.texts.search(who.user.id, {
      terms: search.terms,
      ...{ projectId, persona, status, model, limit },
      personId: userId,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      within: listWithin(who),
      ...cursor,
    });
  }
}
