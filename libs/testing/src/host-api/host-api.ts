import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiDescription } from './api-description';
import { giteaDescription } from './gitea-description';
import { giteaRoutes } from './gitea-routes';
import { gitHubDescription } from './github-description';
import { gitHubRoutes } from './github-routes';
import { gitlabDescription } from './gitlab-description';
import { gitlabRoutes } from './gitlab-routes';
import { HostApiState, type HostApiAnswer, type HostApiRoutes } from './host-api.types';

export type HostApiKind = 'github' | 'gitlab' | 'gitea';

const VENDORS: Record<HostApiKind, { routes: HostApiRoutes; describe: () => ApiDescription }> = {
  github: { routes: gitHubRoutes, describe: gitHubDescription },
  gitlab: { routes: gitlabRoutes, describe: gitlabDescription },
  gitea: { routes: giteaRoutes, describe: giteaDescription },
};

/**
 * A vendor's API over a state in memory. Every request is compared with what the vendor publishes of its API, and so is
 * every answer of the double; what does not fit is a line of `faults`, and a request that does not is answered 500.
 */
export class HostApi {
  readonly state = new HostApiState();
  readonly faults: string[] = [];
  /** `METHOD path` of every call of the repository's routes. */
  readonly calls: string[] = [];
  /** What every request, the probes included, said of who asks. */
  readonly tokens: (string | null)[] = [];
  private readonly description: ApiDescription;
  private readonly routes: HostApiRoutes;

  constructor(kind: HostApiKind) {
    const { routes, describe } = VENDORS[kind];
    this.routes = routes;
    this.description = describe();
  }

  /** Answers a request of the API; false for any other path. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', 'https://host.invalid');
    if (!/^\/api\/v\d\//.test(url.pathname)) return false;
    const text = await textOf(request);
    const { status, body, text: plain, headers } = this.answerTo(request, url, text);
    response.writeHead(status, {
      'content-type': plain === undefined ? 'application/json' : 'text/plain; charset=utf-8',
      ...headers,
    });
    response.end(plain ?? (body === undefined ? '' : JSON.stringify(body)));
    return true;
  }

  private answerTo({ method = 'GET', headers }: IncomingMessage, url: URL, text: string): HostApiAnswer {
    const { root, probe, tokenOf, answer, undescribed } = this.routes;
    const token = tokenOf(headers);
    this.tokens.push(token);
    if (url.pathname === probe.path) return probe.answer;
    if (!url.pathname.startsWith(`${root}/`)) return { status: 404, body: { message: 'Not Found' } };
    const path = url.pathname.slice(root.length);
    const call = {
      method,
      path,
      query: url.searchParams,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
    this.calls.push(`${method} ${path}`);
    const instead = this.state.instead(call);
    if (instead) return instead;
    const more = token === this.state.token ? (undescribed?.(call, this.state) ?? null) : null;
    if (more) return more;
    const faults = this.description.faultsOfRequest({ ...call, body: text === '' ? null : call.body });
    this.faults.push(...faults);
    if (faults.length > 0) return { status: 500, body: { message: faults.join('; ') } };
    if (token !== this.state.token) return { status: 401, body: { message: 'Bad credentials' } };
    const given = answer(call, this.state);
    if (given.status < 300 && given.text === undefined)
      this.faults.push(...this.description.faultsOfAnswer(method, path, given.body));
    return given;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
