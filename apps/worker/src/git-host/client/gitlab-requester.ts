import type { Projects } from '@gitbeaker/rest';

type RequesterFn = NonNullable<ConstructorParameters<typeof Projects<false>>[0]['requesterFn']>;
type Requester = ReturnType<RequesterFn>;
type Ask = Requester['get'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** How Gitbeaker's resources send: by our `fetch`, once, without its own repetitions and limits of rate. */
export function gitlabRequester(send: typeof fetch): RequesterFn {
  return ({ url, headers, authHeaders }) => {
    const ask =
      (method: string): Ask =>
      async (endpoint, { body, searchParams } = {}) => {
        const address = new URL(endpoint, `${url.replace(/\/+$/, '')}/`);
        for (const [name, value] of Object.entries(searchParams ?? {})) appendTo(address.searchParams, name, value);
        const given: [string, string][] = [];
        for (const [name, valueOf] of Object.entries(authHeaders)) given.push([name, await valueOf()]);
        const sends = body !== undefined && !(body instanceof FormData);
        const response = await send(address, {
          method: method.toUpperCase(),
          headers: {
            ...headers,
            ...Object.fromEntries(given),
            accept: 'application/json',
            ...(sends ? { 'content-type': 'application/json' } : {}),
          },
          ...(sends ? { body: JSON.stringify(inSnakeCase(body)) } : {}),
        });
        const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
        const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
        const text = await response.text();
        return { ...answer, body: isJson && text !== '' ? JSON.parse(text) : text };
      };
    return Object.fromEntries(METHODS.map((method) => [method, ask(method)])) as unknown as Requester;
  };
}

function appendTo(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const item of value) query.append(`${snakeCase(name)}[]`, String(item));
  else query.append(snakeCase(name), String(value));
}

function inSnakeCase(body: object): object {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      value === undefined ? [] : [[snakeCase(name), value as unknown] as const],
    ),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
