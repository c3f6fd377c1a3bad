import { OUTPUT_SCHEMA_LIMIT_BYTES } from '@chirality/contracts';
import { readOutputSchema } from './read-output-schema';

const PET = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

const nested = (levels: number): object => (levels === 0 ? {} : { not: nested(levels - 1) });

describe('what a turn may bring as the schema of its answer', () => {
  it('is taken without the name of its draft', () => {
    expect(readOutputSchema(PET)).toEqual({ schema: PET });
    for (const $schema of [
      'http://json-schema.org/draft-07/schema#',
      'https://json-schema.org/draft/2020-12/schema',
      'https://json-schema.org/draft/2019-09/schema',
    ])
      expect(readOutputSchema({ $schema, ...PET })).toEqual({ schema: PET });
  });

  it.each([
    ['a text', 'object', /is a JSON object/],
    ['null', null, /is a JSON object/],
    ['a list', [PET], /is a JSON object/],
    ['a schema of a list', { type: 'array' }, /"type": "object"/],
    ['a schema of anything', {}, /"type": "object"/],
    ['a schema of an object or nothing', { type: ['object', 'null'] }, /"type": "object"/],
    ['another draft', { $schema: 'http://json-schema.org/draft-03/schema#', ...PET }, /draft 7/],
    ['a draft that is no text', { $schema: {}, ...PET }, /draft 7/],
    ['a deep one', { type: 'object', ...nested(32) }, /at most 32 levels/],
    ['one that no stack holds', { type: 'object', ...nested(3_000) }, /at most 32 levels/],
    ['a large one', { type: 'object', title: 'é'.repeat(OUTPUT_SCHEMA_LIMIT_BYTES / 2) }, /at most 16384/],
  ])('is refused in a sentence where it is %s', (_name, value, sentence) => {
    expect(readOutputSchema(value)).toEqual({ fault: expect.stringMatching(sentence) as string });
  });

  it('is taken up to the limits themselves', () => {
    expect(readOutputSchema({ type: 'object', ...nested(31) })).toHaveProperty('schema');
    const rest = OUTPUT_SCHEMA_LIMIT_BYTES - JSON.stringify({ type: 'object', title: '' }).length;
    expect(readOutputSchema({ type: 'object', title: 'x'.repeat(rest) })).toHaveProperty('schema');
    expect(readOutputSchema({ type: 'object', title: 'x'.repeat(rest + 1) })).toHaveProperty('fault');
  });
});
