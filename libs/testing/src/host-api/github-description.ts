import { readFileSync } from 'node:fs';
import { ApiDescription, type Operation, type Schema } from './api-description';

type Parameter = { $ref?: string; in?: string; name?: string; schema?: Schema };
type Content = { content?: Record<string, { schema?: Schema }> };
type Described = {
  parameters?: Parameter[];
  requestBody?: Content;
  responses?: Record<string, Content & { $ref?: string }>;
};
type Document = { paths: Record<string, Record<string, Described>> };

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/** GitHub's own description of its API, as it is published in @octokit/openapi. */
export function gitHubDescription(): ApiDescription {
  // Thirteen megabytes, read by those tests alone that want them.
  const document = JSON.parse(
    readFileSync(require.resolve('@octokit/openapi/generated/api.github.com.json'), 'utf8'),
  ) as Document;
  const at = <T>(ref: string): T =>
    ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document) as T;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method): Operation[] => {
      const described = methods[method];
      if (!described || !path.startsWith('/repos/')) return [];
      const parameters = (described.parameters ?? []).map((one) => (one.$ref ? at<Parameter>(one.$ref) : one));
      const success = Object.entries(described.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
      const answer = success?.$ref ? at<Content>(success.$ref) : success;
      return [
        {
          method: method.toUpperCase(),
          path,
          query: Object.fromEntries(
            parameters.flatMap((one) =>
              one.in === 'query' && one.name ? [[one.name, one.schema ?? {}] as const] : [],
            ),
          ),
          body: described.requestBody?.content?.['application/json']?.schema ?? null,
          answer: answer?.content?.['application/json']?.schema ?? null,
        },
      ];
    }),
  );
  return new ApiDescription(operations, (ref) => at<Schema>(ref));
}
