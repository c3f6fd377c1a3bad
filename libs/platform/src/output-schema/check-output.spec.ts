import { outputFault, schemaFault } from './check-output';

const PET = {
  type: 'object',
  properties: { name: { type: 'string' }, legs: { type: 'integer' } },
  required: ['name'],
  additionalProperties: false,
};

describe('a schema that came with a message', () => {
  it('is one', () => {
    expect(schemaFault(PET)).toBeNull();
    expect(
      schemaFault({
        type: 'object',
        properties: { mail: { type: 'string', format: 'email' }, next: { $ref: '#/$defs/node' } },
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      }),
    ).toBeNull();
  });

  it.each([
    ['a type that there is not', { type: 'object', properties: { a: { type: 'text' } } }, /allowed values/],
    ['a keyword that there is not', { type: 'object', 'x-internal': 1 }, /unknown keyword/],
    ['a pattern that is none', { type: 'object', properties: { a: { pattern: '(' } } }, /regular expression/],
    ['a reference to elsewhere', { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } }, /resolve/],
    ['a reference to a file', { type: 'object', properties: { a: { $ref: 'file:///etc/passwd' } } }, /resolve/],
    ['a reference to nothing', { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }, /resolve/],
    ['an asynchronous one', { type: 'object', $async: true }, /\$async/],
  ])('is none with %s', (_name, schema, fault) => {
    expect(schemaFault(schema)).toMatch(fault);
  });

  it('runs nothing that it says', () => {
    const words = ['"+process.exit(1)+"', '${process.exit(1)}', '`);process.exit(1);(`', '\u2028process.exit(1)'];
    for (const word of words) {
      const schema = { type: 'object', properties: { [word]: { const: word, description: word } }, required: [word] };
      expect(schemaFault(schema)).toBeNull();
      expect(outputFault(schema, { [word]: word })).toBeNull();
      expect(outputFault(schema, {})).toContain('must have required property');
    }
  });
});

describe('an answer', () => {
  it('is what the schema says, or where it is not', () => {
    expect(outputFault(PET, { name: 'Rex', legs: 4 })).toBeNull();
    expect(outputFault(PET, { name: 'Rex', legs: 'four' })).toBe('/legs must be integer');
    expect(outputFault(PET, {})).toBe("the answer must have required property 'name'");
    expect(outputFault(PET, null)).toBe('the answer must be object');
    expect(outputFault(PET, undefined)).toBe('the answer must be object');
  });

  it('is described in few words, however many are wrong', () => {
    expect(outputFault({ ...PET, required: ['x'.repeat(5_000)] }, {})?.length).toBeLessThan(450);
  });
});
