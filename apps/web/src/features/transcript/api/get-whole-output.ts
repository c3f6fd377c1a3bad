import { request } from '../../../lib/http/api-client';

/** The whole of a result that the event log keeps a preview of. `href` is the server's own, from the event. */
export async function getWholeOutput(href: string): Promise<unknown> {
  const url = new URL(href, window.location.origin);
  if (url.origin !== window.location.origin || !url.pathname.startsWith('/v1/'))
    throw new Error('This result cannot be fetched.');
  return (await request<{ content: unknown }>(url.pathname + url.search)).content;
}
