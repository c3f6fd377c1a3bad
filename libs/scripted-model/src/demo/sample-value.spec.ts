import Ajv from 'ajv';
import { sampleValue } from './sample-value';

const SCHEMAS: Record<string, unknown>[] = [
  { type: 'object' },
  { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a', 'b'] },
  { type: 'object', properties: { a: { enum: [3, 'x'] }, b: { const: null } }, required: ['b'] },
  { type: 'object', properties: { list: { type: 'array', items: { type: 'number' }, minItems: 3 } } },
  { type: 'object', properties: { none: { type: 'array', maxItems: 0 } }, required: ['none'] },
  { type: 'object', properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'boolean' }] } } },
  { type: 'object', properties: { a: { type: 'string', minLength: 12 }, b: { type: 'string', maxLength: 2 } } },
  { type: 'object', properties: { a: { minimum: 5, type: 'integer', multipleOf: 4 } } },
  { type: 'object', properties: { a: { exclusiveMinimum: 1, exclusiveMaximum: 3, type: 'integer' } } },
  { type: 'object', properties: { a: { maximum: -2, type: 'integer' }, b: { type: ['null', 'boolean'] } } },
  { type: 'object', properties: { a: { anyOf: [{ type: 'number' }, { type: 'string' }] } } },
  { type: 'object', oneOf: [{ properties: { a: { type: 'boolean' } }, required: ['a'] }, { required: ['b'] }] },
  { allOf: [{ required: ['a'] }, { properties: { a: { type: 'integer' } } }], type: 'object' },
  {
    type: 'object',
    definitions: { 'a/b': { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
    properties: { a: { $ref: '#/definitions/a~1b' }, all: { type: 'array', items: { $ref: '#/definitions/a~1b' } } },
    required: ['a'],
  },
  { type: 'object', properties: { a: { type: 'object', required: ['free'] } }, additionalProperties: false },
  // One that refers to itself, and ends where it may.
  { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } } },
];

describe('an example of a JSON schema', () => {
  it.each(SCHEMAS.map((schema) => [JSON.stringify(schema), schema]))('follows %s', (_, schema) => {
    const validate = new Ajv({ strict: false }).compile(schema as object);
    const value = sampleValue(schema);
    validate(value);
    expect({ value, errors: validate.errors }).toEqual({ value, errors: null });
  });

  it.each([null, 1, [], { type: 'nonsense' }, { $ref: '#' }, { allOf: 3 }, { required: 'a', properties: [] }])(
    'comes to an end for what is no schema: %j',
    (schema) => expect(() => sampleValue(schema)).not.toThrow(),
  );

  it('comes to an end for a schema that requires itself for ever', () => {
    const value = sampleValue({ type: 'object', properties: { self: { $ref: '#' } }, required: ['self'] });
    expect(JSON.stringify(value)).toMatch(/^(\{"self":)+null\}+$/);
  });
});
