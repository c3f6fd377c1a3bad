import { EVENT_PAYLOADS } from '@chirality/contracts';
import { ClaudeStreamMapper } from '../src/harness/claude-code/mapper/claude-stream-mapper';
import { KNOWN_FAILURES } from './stream-scenarios/known-failures';
import { RULES } from './stream-scenarios/rules';
import { expectation, observe } from './stream-scenarios/scenario';

describe.each([
  ['failures that people reported', KNOWN_FAILURES],
  ['rules', RULES],
])('%s', (_name, scenarios) => {
  it.each(scenarios)('$name', (scenario) => {
    expect(observe(scenario)).toEqual(expectation(scenario));
  });

  it.each(scenarios)('$name: events keep the contract', (scenario) => {
    const mapper = new ClaudeStreamMapper({ requestedSessionId: null, asked: {}, clock: () => 0 });
    for (const output of scenario.records.flatMap((record) => mapper.accept(record))) {
      if (output.type === 'event') EVENT_PAYLOADS[output.event.kind].parse(output.event.payload);
      expect(output).not.toMatchObject({ what: expect.stringMatching(/^broken:/) });
    }
  });
});
