/**
 * @typedef {{ [keyword: string]: any }} Schema A JSON Schema, as OpenAPI 3.1 has it.
 * @typedef {object} Surface What a client of a release can rely on.
 * @property {string} release
 * @property {string} protocolVersion
 * @property {Record<string, any>} operations by method and path
 * @property {Record<string, Schema>} schemas by name
 * @property {Record<string, Schema>} events payloads by kind
 */

/**
 * What an OpenAPI file of ours promises, without the words that explain it.
 * @param {any} document
 * @returns {Surface}
 */
export function surfaceOf(document) {
  /** @type {Record<string, any>} */
  const operations = {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      operations[`${method.toUpperCase()} ${path}`] = promiseOf(operation, document.security ?? []);
  return {
    release: document.info.version,
    protocolVersion: document.info['x-protocol-version'],
    operations,
    schemas: document.components.schemas,
    events: document['x-events'],
  };
}

/**
 * @param {any} operation
 * @param {unknown[]} signIn
 */
function promiseOf({ deprecated, security, parameters = [], requestBody, responses }, signIn) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    ...(deprecated ? { deprecated } : {}),
    isOpen: (security ?? signIn).length === 0,
    parameters: parameters.map((/** @type {any} */ { name, in: place, required, schema }) => ({
      name,
      in: place,
      required: required ?? false,
      schema,
    })),
    ...(requestBody ? { body: { required: requestBody.required ?? false, content: schemasOf(requestBody) } } : {}),
    answers: Object.fromEntries(successes.map(([status, answer]) => [status, schemasOf(answer)])),
  };
}

/** @param {any} holder */
function schemasOf({ content = {} }) {
  return Object.fromEntries(
    Object.entries(content)
      .filter(([type]) => type !== 'application/problem+json')
      .map(([type, { schema }]) => [type, schema]),
  );
}

/**
 * The text that is kept of a release: one line for each route, schema and event, so that differences can be read.
 * @param {Surface} surface
 */
export function surfaceText({ release, protocolVersion, operations, schemas, events }) {
  const lines = (/** @type {Record<string, unknown>} */ members) =>
    `{\n${Object.entries(members)
      .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n')}\n  }`;
  return `{
  "release": ${JSON.stringify(release)},
  "protocolVersion": ${JSON.stringify(protocolVersion)},
  "operations": ${lines(operations)},
  "schemas": ${lines(schemas)},
  "events": ${lines(events)}
}
`;
}
