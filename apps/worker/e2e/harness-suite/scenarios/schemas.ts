import type { Scenario } from '../scenario';
import { call } from './calls';

const PET = {
  type: 'object',
  properties: { name: { type: 'string' }, legs: { type: 'integer' } },
  required: ['name', 'legs'],
  additionalProperties: false,
};
const REX = { name: 'Rex', legs: 4 };
/** How the program has the model hand over its answer. */
const hands = (answer: Record<string, unknown>) => call('StructuredOutput', answer);

/** A message that says what its answer has to be. */
export const schemas: Scenario[] = [
  {
    name: 'an answer by a schema is handed over as JSON, and the next turn is free again',
    proves: 'H14',
    turns: [
      {
        says: `[[text Let me see.]]&${hands(REX)}`,
        outputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...PET },
        ends: { status: 'completed', structured: REX, outputSchema: PET, text: JSON.stringify(REX), degraded: false },
        inOrder: ['turn:queued', 'chat:complete', 'session:complete', 'turn:end'],
        shows: (seen) => {
          expect(seen.of('turn:queued')).toMatchObject([{ outputSchema: PET }]);
          expect(seen.of('session:complete')).toMatchObject([{ structured: REX }]);
          expect(seen.tools).toMatchObject([{ name: 'StructuredOutput', mutating: false, isError: false }]);
          // No one is asked for it.
          expect(seen.of('permission:request')).toEqual([]);
        },
      },
      {
        says: '[[text Free.]]',
        ends: { status: 'completed', structured: null, outputSchema: null, text: 'Free.' },
        shows: (seen) =>
          expect(seen.of('session:init')).not.toEqual([
            expect.objectContaining({ tools: expect.arrayContaining(['StructuredOutput']) as string[] }),
          ]),
      },
    ],
  },
  {
    name: 'a model that corrects itself follows its schema',
    proves: 'H14',
    session: { mode: 'pipeline', options: { tools: ['Read'], permissionMode: 'dontAsk' } },
    turns: [
      {
        says: `${hands({ name: 'Rex', legs: 'four' })} ${hands(REX)}`,
        outputSchema: PET,
        ends: { status: 'completed', structured: REX },
        shows: (seen) => expect(seen.tools.map(({ isError }) => isError)).toEqual([true, false]),
      },
    ],
  },
  {
    name: 'a model that answers in words does not follow its schema: failed, with its text',
    proves: 'H14',
    turns: [
      {
        says: '[[text Rex has four legs.]] [[text I said it: four.]]',
        outputSchema: PET,
        ends: { status: 'failed', code: 'SCHEMA_NOT_FOLLOWED', structured: null, text: 'I said it: four.' },
        shows: (seen) => {
          expect(seen.of('chat:complete').map(({ text }) => text)).toEqual(['Rex has four legs.', 'I said it: four.']);
          expect(seen.of('session:error')).toMatchObject([{ code: 'SCHEMA_NOT_FOLLOWED', retryable: false }]);
        },
      },
      { says: '[[text Still here.]]', ends: { status: 'completed', text: 'Still here.' } },
    ],
  },
  {
    name: 'what looks like a credential in a schema or an answer by it is shown to no one',
    proves: 'H14 E6',
    turns: [
      {
        says: hands({ name: `sk-ant-api03-${'a'.repeat(40)}`, legs: 4 }),
        outputSchema: { ...PET, description: `such as sk-ant-api03-${'b'.repeat(40)}` },
        ends: { status: 'completed' },
        shows: (seen) => {
          expect(seen.turn.structured).toMatchObject({ name: expect.stringContaining('redacted') as string, legs: 4 });
          expect(seen.turn.outputSchema).toMatchObject({ description: expect.stringContaining('redacted') as string });
        },
      },
    ],
  },
];
