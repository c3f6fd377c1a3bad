import { ProblemError, SchemaJudge } from '@chirality/platform';
import { fitOutputSchema, refuseUnfitSchema } from './output-schema-rules';

const PET = { type: 'object', properties: { name: { type: 'string' } } };
const judge = new SchemaJudge();
const refusal = async (schema: Record<string, unknown>) => {
  try {
    await refuseUnfitSchema(judge, 'user', fitOutputSchema(schema) ?? {});
  } catch (error) {
    return error as ProblemError;
  }
  throw new Error('it was taken');
};

describe('the schema of a message', () => {
  it('is none where none is sent', () => {
    expect(fitOutputSchema(undefined)).toBeNull();
  });

  it('is taken, without what looks like a credential', () => {
    const key = `sk-ant-api03-${'a'.repeat(40)}`;
    expect(fitOutputSchema(PET)).toEqual(PET);
    expect(JSON.stringify(fitOutputSchema({ ...PET, description: `such as ${key}` }))).not.toContain(key);
  });

  it.each([
    ['not of an object', { type: 'array' }, /"type": "object"/],
    [
      'no schema',
      { type: 'object', properties: { a: { type: 'text' } } },
      /no JSON Schema of draft 7: .+\. Correct it/,
    ],
    ['one that refers to elsewhere', { type: 'object', allOf: [{ $ref: 'https://example.com/x' }] }, /resolve/],
  ])('is refused by its code where it is %s', async (_name, schema, sentence) => {
    const { code, detail } = await refusal(schema);
    expect(code).toBe('SCHEMA_INVALID');
    expect(detail).toMatch(sentence);
  });
});
