import { schemaOfText } from './schema-text';

describe('the text of a schema', () => {
  it('is read as JSON', () => {
    expect(schemaOfText(' {"type": "object"}\n')).toEqual({ schema: { type: 'object' } });
  });

  it.each([
    ['nothing', ' ', /Write a JSON schema/],
    ['no JSON', '{ type: object }', /^This is not JSON: /],
    ['JSON that is no schema of an object', '[1]', /is a JSON object/],
  ])('is refused in words where it is %s', (_name, text, fault) => {
    expect(schemaOfText(text)).toEqual({ fault: expect.stringMatching(fault) as string });
  });
});
