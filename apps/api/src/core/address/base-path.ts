import type { IncomingMessage, Server } from 'node:http';
import type { Config } from '@chirality/platform';

/**
 * The path below which the public URL has everything: '' where the host is ours alone, else such as
 * `/tools/chirality`.
 */
export function basePathOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/**
 * The address as routes know it. A proxy may pass the base path on or take it off; both are the same request.
 */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

/** Takes the base path off every request and upgrade before anything else looks at them. */
export function serveBelow(http: Server, basePath: string): void {
  if (basePath === '') return;
  const strip = (request: IncomingMessage) => {
    if (request.url !== undefined) request.url = withoutBasePath(request.url, basePath);
  };
  http.prependListener('request', strip);
  http.prependListener('upgrade', strip);
}
