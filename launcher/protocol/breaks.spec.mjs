import { breaksBetween } from './breaks.mjs';
import { surfaceOf, surfaceText } from './surface.mjs';

const ref = (/** @type {string} */ name) => ({ $ref: `#/components/schemas/${name}` });
const object = (
  /** @type {any} */ properties,
  /** @type {string[]} */ required = Object.keys(properties),
  more = {},
) => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const json = (/** @type {any} */ schema) => ({ content: { 'application/json': { schema } } });
const text = (more = {}) => ({ type: 'string', ...more });

/** A small OpenAPI file, made again for each test. */
function sample() {
  return {
    info: { version: '1.0.0', 'x-protocol-version': '1.0' },
    security: [{ accessToken: [] }],
    paths: {
      '/v1/items': {
        get: {
          parameters: [{ name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } }],
          responses: { 200: json(object({ data: { type: 'array', items: ref('Item') } })), 404: json(ref('Gone')) },
        },
        post: {
          requestBody: {
            required: true,
            ...json(
              object({ name: text({ maxLength: 50 }), kind: text({ enum: ['a', 'b'] }), note: text() }, ['name'], {
                additionalProperties: false,
              }),
            ),
          },
          responses: { 201: json(ref('Item')) },
        },
      },
      '/v1/open': { get: { security: [], responses: { 200: json(text()) } } },
    },
    components: {
      schemas: /** @type {Record<string, any>} */ ({
        Item: object({
          id: text(),
          kind: text({ enum: ['a', 'b'] }),
          size: { anyOf: [{ type: 'number' }, { type: 'null' }] },
          mode: { anyOf: [text({ const: 'x' }), text({ const: 'y' })] },
          parent: { anyOf: [ref('Item'), { type: 'null' }] },
          more: object({}, [], { additionalProperties: text() }),
        }),
      }),
    },
    'x-events': /** @type {Record<string, any>} */ ({ 'item:new': object({ item: ref('Item'), by: text() }) }),
  };
}

/**
 * What the comparison says of a change to the sample.
 * @param {(document: any) => unknown} change
 * @param {string} version
 */
function after(change, version = '1.1') {
  const now = sample();
  now.info['x-protocol-version'] = version;
  change(now);
  return breaksBetween(surfaceOf(sample()), surfaceOf(now));
}

const item = (/** @type {any} */ document) => document.components.schemas.Item;
const list = (/** @type {any} */ document) => document.paths['/v1/items'].get;
const make = (/** @type {any} */ document) => document.paths['/v1/items'].post;
const body = (/** @type {any} */ document) => make(document).requestBody.content['application/json'].schema;

describe('the comparison of two protocols', () => {
  it('finds nothing in the same one', () => expect(after(() => undefined, '1.0')).toEqual([]));

  it.each(
    /** @type {[string, (document: any) => unknown][]} */ ([
      ['a route', (now) => (now.paths['/v1/more'] = { get: { responses: {} } })],
      ['a field of an answer', (now) => (item(now).properties.further = text())],
      ['an optional field of a request', (now) => (body(now).properties.further = text())],
      ['an optional parameter', (now) => list(now).parameters.push({ name: 'q', in: 'query', schema: text() })],
      ['a value of an answer', (now) => item(now).properties.kind.enum.push('c')],
      ['a value of a union in an answer', (now) => item(now).properties.mode.anyOf.push(text({ const: 'z' }))],
      ['a value of a request', (now) => body(now).properties.kind.enum.push('c')],
      ['a type of a request', (now) => (body(now).properties.name = { anyOf: [text(), { type: 'null' }] })],
      ['a longer limit', (now) => (body(now).properties.name.maxLength = 60)],
      ['a kind of event', (now) => (now['x-events']['item:gone'] = object({}))],
      ['a field of an event', (now) => (now['x-events']['item:new'].properties.further = text())],
      ['an answer', (now) => (make(now).responses[202] = json(text()))],
    ]),
  )('takes %s as an addition', (_name, change) => expect(after(change)).toEqual([]));

  it.each(
    /** @type {[string, (document: any) => unknown, string][]} */ ([
      ['a route', (now) => delete now.paths['/v1/items'].get, 'GET /v1/items: the route is gone'],
      ['an answer', (now) => delete make(now).responses[201], 'POST /v1/items: no longer answers 201'],
      ['a type of answer', (now) => (list(now).responses[200].content = {}), '200: application/json is gone'],
      ['a field', (now) => delete item(now).properties.id, '[].id: is gone'],
      ['the promise of a field', (now) => item(now).required.shift(), '[].id: may be missing now'],
      ['a value', (now) => item(now).properties.kind.enum.pop(), 'kind: the value "b" is gone'],
      ['a value of a union', (now) => item(now).properties.mode.anyOf.pop(), 'mode: the value "y" is gone'],
      ['fixed values', (now) => delete item(now).properties.kind.enum, 'kind: is no longer one of fixed values'],
      ['the type', (now) => (item(now).properties.id = { type: 'number' }), 'id: can no longer be string'],
      ['what cannot be null', (now) => (item(now).properties.id = { type: ['string', 'null'] }), 'id: can be null now'],
      ['null', (now) => item(now).properties.size.anyOf.pop(), 'size: can no longer be null'],
      [
        'the type of other fields',
        (now) => (item(now).properties.more.additionalProperties = { type: 'number' }),
        '.*: can no longer be string',
      ],
      ['an open route', (now) => delete now.paths['/v1/open'].get.security, 'GET /v1/open: asks for a token now'],
      ['an optional parameter', (now) => (list(now).parameters[0].required = true), 'query limit: is required now'],
      ['a parameter', (now) => list(now).parameters.pop(), 'query limit: is gone'],
      [
        'requests without a new parameter',
        (now) => list(now).parameters.push({ name: 'q', in: 'query', required: true, schema: text() }),
        'query q: is required and new',
      ],
      ['a larger number', (now) => (list(now).parameters[0].schema.maximum = 50), 'query limit: maximum is narrower'],
      [
        'requests without a new field',
        (now) => ((body(now).properties.further = text()), body(now).required.push('further')),
        'body.further: is required and new',
      ],
      ['requests without an optional field', (now) => body(now).required.push('note'), 'body.note: is required now'],
      ['a field of a request', (now) => delete body(now).properties.note, 'body.note: is gone'],
      ['a value of a request', (now) => body(now).properties.kind.enum.pop(), 'body.kind: the value "b" is gone'],
      [
        'other values of a request',
        (now) => (body(now).properties.note.enum = ['x']),
        'body.note: takes fixed values only now',
      ],
      ['longer text', (now) => (body(now).properties.name.maxLength = 20), 'body.name: maxLength is narrower'],
      ['shorter text', (now) => (body(now).properties.note.minLength = 1), 'body.note: minLength is narrower'],
      ['text of another form', (now) => (body(now).properties.note.pattern = '^x'), 'body.note: pattern is narrower'],
      [
        'the type of a request',
        (now) => (body(now).properties.note = { type: 'number' }),
        'body.note: can no longer be string',
      ],
      [
        'requests without a body',
        (now) => (list(now).requestBody = make(now).requestBody),
        'GET /v1/items: a body is required now',
      ],
      ['a body', (now) => delete make(now).requestBody, 'POST /v1/items: takes no body any longer'],
      ['a kind of event', (now) => delete now['x-events']['item:new'], 'event item:new: the kind is gone'],
      ['a field of an event', (now) => delete now['x-events']['item:new'].properties.by, 'event item:new.by: is gone'],
    ]),
  )('finds that %s is taken away', (_name, change, expected) =>
    expect(after(change)).toContainEqual(expect.stringContaining(expected)),
  );

  it('lets go what the release before called deprecated', () => {
    const before = sample();
    /** @type {any} */ (before.paths['/v1/items'].get).deprecated = true;
    const now = sample();
    now.info['x-protocol-version'] = '1.1';
    delete (/** @type {any} */ (now.paths['/v1/items']).get);
    expect(breaksBetween(surfaceOf(before), surfaceOf(now))).toEqual([]);
  });

  it('wants another version for an addition, of the same first number', () => {
    const add = (/** @type {any} */ now) => (item(now).properties.further = text());
    expect(after(add, '1.0')).toEqual([expect.stringContaining('raise PROTOCOL_VERSION')]);
    expect(after(add, '2.0')).toEqual([expect.stringContaining('does not follow 1.0')]);
    expect(after(() => undefined, '0.9')).toEqual([expect.stringContaining('does not follow 1.0')]);
  });

  it('keeps a release as text that reads back the same', () => {
    const surface = surfaceOf(sample());
    expect(JSON.parse(surfaceText(surface))).toEqual(JSON.parse(JSON.stringify(surface)));
  });
});
