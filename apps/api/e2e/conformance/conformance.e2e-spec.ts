import { runConformance, SCENARIOS, type ConformanceOptions } from '@chirality/conformance';
import type { Stack } from '@chirality/testing';
import { startConformanceTarget } from './conformance-target';

jest.setTimeout(180_000);

let stack: Stack;
let options: ConformanceOptions;

beforeAll(async () => {
  ({ stack, options } = await startConformanceTarget());
});
afterAll(() => stack?.stop());

/** What a transport has no act for; every other scenario has to pass over it. */
const NOT_OFFERED = {
  rest: ['ui-events'],
  'socket.io': ['ui-events'],
  websocket: ['ui-events'],
  mcp: ['hello', 'ui-events', 'permission-allowed', 'permission-denied'],
  'harness-routes': [
    'hello',
    'send',
    'disconnect',
    'reconnect',
    'several-clients',
    'cursor-ahead',
    'permission-allowed',
    'permission-denied',
    'agent-may-not-approve',
  ],
} as const;

describe.each(Object.entries(NOT_OFFERED))('over %s', (transport, notOffered) => {
  it.each(SCENARIOS.map(({ name, law }) => ({ name, law })))('$name: $law', async ({ name }) => {
    const [result] = await runConformance({
      ...options,
      transports: [transport as keyof typeof NOT_OFFERED],
      only: [name],
    });
    const verdict = (notOffered as readonly string[]).includes(name) ? 'not offered' : 'passed';
    expect(result).toMatchObject({ verdict, detail: '' });
  });
});
