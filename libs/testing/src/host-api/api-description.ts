/** As much of a JSON schema as vendors' descriptions of what is used here need. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
};

export type Operation = {
  method: string;
  /** With `{name}` for a segment that varies. */
  path: string;
  query: Record<string, Schema>;
  body: Schema | null;
  /** Of a success; null where none is described, or where it is no JSON. */
  answer: Schema | null;
};

type Asked = { method: string; path: string; query: URLSearchParams; body: unknown };

/**
 * What a vendor publishes of an API. A request must be one of its operations, with no parameter or member that is not
 * described; an answer may leave members out, but has none that is not described.
 */
export class ApiDescription {
  constructor(
    private readonly operations: readonly Operation[],
    private readonly resolve: (ref: string) => Schema,
  ) {}

  faultsOfRequest({ method, path, query, body }: Asked): string[] {
    const operation = this.operationOf(method, path);
    if (!operation) return [`${method} ${path} is not described`];
    const place = `${method} ${operation.path}`;
    const faults = [...new Set(query.keys())].flatMap((name) => {
      const schema = operation.query[name] ?? operation.query[name.replace(/\[\]$/, '')];
      if (!schema) return [`${place}: no parameter ${name}`];
      return this.faults(inType(query.get(name) ?? '', this.plain(schema)), schema, `${place}?${name}`, true);
    });
    if (body === null) return faults;
    return operation.body ? [...faults, ...this.faults(body, operation.body, place, true)] : [`${place} takes no body`];
  }

  faultsOfAnswer(method: string, path: string, answer: unknown): string[] {
    const operation = this.operationOf(method, path);
    return operation?.answer
      ? this.faults(answer, operation.answer, `answer of ${method} ${operation.path}`, false)
      : [];
  }

  private operationOf(method: string, path: string): Operation | undefined {
    return this.operations
      .filter((operation) => operation.method === method && patternOf(operation.path).test(path))
      .sort((a, b) => variablesOf(a.path) - variablesOf(b.path))[0];
  }

  private plain(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.plain(this.resolve(schema.$ref));
  }

  private faults(value: unknown, given: Schema, place: string, isComplete: boolean): string[] {
    const schema = this.plain(given);
    const choices = schema.oneOf ?? schema.anyOf;
    if (
      value === null &&
      (given.nullable === true || schema.nullable === true || choices?.some((choice) => this.plain(choice).nullable))
    )
      return [];
    if (choices) {
      const each = choices.map((choice) => this.faults(value, choice, place, isComplete));
      return each.find((found) => found.length === 0) ?? each[0] ?? [];
    }
    if (schema.enum && !schema.enum.includes(value)) return [`${place} is none of ${JSON.stringify(schema.enum)}`];
    if (schema.type && !isOfType(value, schema.type))
      return [`${place} is no ${schema.type}: ${JSON.stringify(value)}`];
    if (Array.isArray(value))
      return schema.items
        ? value.flatMap((item, at) => this.faults(item, schema.items ?? {}, `${place}[${at}]`, isComplete))
        : [];
    return typeof value === 'object' && value !== null
      ? this.faultsOfMembers(value as Record<string, unknown>, schema, place, isComplete)
      : [];
  }

  private faultsOfMembers(
    value: Record<string, unknown>,
    schema: Schema,
    place: string,
    isComplete: boolean,
  ): string[] {
    const parts = [schema, ...(schema.allOf ?? []).map((part) => this.plain(part))];
    const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, Schema>;
    if (Object.keys(properties).length === 0) return [];
    const missing = isComplete
      ? parts.flatMap((part) => part.required ?? []).filter((name) => value[name] === undefined)
      : [];
    return [
      ...missing.map((name) => `${place}.${name} is missing`),
      ...Object.entries(value).flatMap(([name, member]) =>
        properties[name]
          ? this.faults(member, properties[name], `${place}.${name}`, isComplete)
          : [`${place}.${name} is not described`],
      ),
    ];
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

function variablesOf(path: string): number {
  return path.split('{').length;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** A parameter's text as the type that it is described with. */
function inType(text: string, { type }: Schema): unknown {
  if (type === 'integer' || type === 'number') return text.trim() === '' ? text : Number(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return type === 'array' ? [text] : text;
}
