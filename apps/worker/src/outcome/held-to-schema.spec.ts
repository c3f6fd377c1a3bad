import { heldToSchema } from './held-to-schema';

const SCHEMA = { type: 'object', properties: { legs: { type: 'integer' } }, required: ['legs'] };
const run = (structured: Record<string, unknown> | null, outcome: 'completed' | 'failed' = 'completed') => ({
  outcome,
  error: null,
  retryable: true,
  structured,
});

describe('a run whose answer has a schema', () => {
  it('is a success with an answer by it', () => {
    expect(heldToSchema(run({ legs: 4 }), SCHEMA)).toEqual(run({ legs: 4 }));
  });

  it.each([
    ['none', null, /answered in words/],
    ['another one', { legs: 'four' }, /\/legs must be integer/],
  ])('fails with %s, and is not tried again', (_name, structured, detail) => {
    expect(heldToSchema(run(structured), SCHEMA)).toEqual({
      outcome: 'failed',
      retryable: false,
      structured: null,
      error: { code: 'SCHEMA_NOT_FOLLOWED', detail: expect.stringMatching(detail) as string },
    });
  });

  it('that failed for another reason keeps that, and hands nothing over', () => {
    expect(heldToSchema(run({ legs: 4 }, 'failed'), SCHEMA)).toEqual(run(null, 'failed'));
  });

  it('hands nothing over where no schema was asked for', () => {
    expect(heldToSchema(run({ legs: 4 }), null)).toEqual(run(null));
  });
});
