import { once } from 'node:events';
import type { AuditEntry } from '@chirality/contracts';
import type { Response } from 'express';
import { csvLines } from '../core/http/csv';

const HEAD = ['id', 'at', 'user_id', 'user_name', 'action', 'object', 'detail'];

/** Writes entries as a file to keep, as fast as the client takes them. One that is cut short does not end as a whole one does. */
export async function sendAuditExport(
  response: Response,
  format: 'csv' | 'json',
  pages: AsyncIterable<AuditEntry[]>,
): Promise<void> {
  response.setHeader('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
  response.setHeader('content-disposition', `attachment; filename="audit.${format}"`);
  response.setHeader('cache-control', 'no-store');
  const write = async (text: string) => {
    if (text !== '' && !response.write(text) && !response.closed)
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
  };
  await write(format === 'csv' ? csvLines([HEAD]) : '[');
  let separator = '\n';
  for await (const entries of pages) {
    if (response.closed) return;
    if (format === 'csv') await write(csvLines(entries.map(rowOf)));
    else if (entries.length > 0) {
      await write(separator + entries.map((entry) => JSON.stringify(entry)).join(',\n'));
      separator = ',\n';
    }
  }
  response.end(format === 'csv' ? '' : '\n]\n');
}

function rowOf({ id, at, userId, userName, action, object, detail }: AuditEntry): string[] {
  return [id, at, userId ?? '', userName ?? '', action, object, JSON.stringify(detail)];
}
