import { requestResponse } from '../../../lib/http/api-client';
import { queryString } from '../../../lib/http/query-string';
import type { UsageFilter } from './get-usage';

/** The same report as a file. A link cannot carry the access token, so it is fetched and handed over as a blob. */
export async function getUsageCsv(filter: UsageFilter): Promise<Blob> {
  const response = await requestResponse(`/v1/usage${queryString({ ...filter, format: 'csv' })}`, {
    headers: { accept: 'text/csv' },
  });
  return response.blob();
}
