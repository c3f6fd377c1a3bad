import { SchemaJudge } from '@chirality/platform';
import { heldToSchema as held, type Judged } from './held-to-schema';

const SCHEMA = { type: 'object', properties: { legs: { type: 'integer' } }, required: ['legs'] };
const judge = new SchemaJudge();
const heldToSchema = (report: Judged, schema: Record<string, unknown> | null) => held(report, schema, judge, 's');
const run = (structured: Record<string, unknown> | null, outcome: 'completed' | 'failed' = 'completed') => ({
  outcome,
  error: null,
  retryable: true,
  structured,
});

describe('a run whose answer has a schema', () => {
  it('is a success with an answer by it', async () => {
    expect(await heldToSchema(run({ legs: 4 }), SCHEMA)).toEqual(run({ legs: 4 }));
  });

  it.each([
    ['none', null, /answered in words/],
    ['another one', { legs: 'four' }, /\/legs must be integer/],
  ])('fails with %s, and is not tried again', async (_name, structured, detail) => {
    expect(await heldToSchema(run(structured), SCHEMA)).toEqual({
      outcome: 'failed',
      retryable: false,
      structured: null,
      error: { code: 'SCHEMA_NOT_FOLLOWED', detail: expect.stringMatching(detail) as string },
    });
  });

  it('that failed for another reason keeps that, and hands nothing over', async () => {
    expect(await heldToSchema(run({ legs: 4 }, 'failed'), SCHEMA)).toEqual(run(null, 'failed'));
  });

  it('hands nothing over where no schema was asked for', async () => {
    expect(await heldToSchema(run({ legs: 4 }), null)).toEqual(run(null));
  });

  it('fails where its answer cannot be checked', async () => {
    const broken = { outputFault: () => Promise.reject(new Error('the thread is gone')) };
    expect(await held(run({ legs: 4 }), SCHEMA, broken, 's')).toMatchObject({
      outcome: 'failed',
      structured: null,
      error: { detail: expect.stringContaining('could not be checked') as string },
    });
  });
});
