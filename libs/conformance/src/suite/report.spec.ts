import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceReport } from './report';
import { SCENARIOS, type Result } from './run-conformance';

const result = (scenario: string, transport: Result['transport'], verdict: Result['verdict'], detail = ''): Result => ({
  scenario,
  transport,
  verdict,
  detail,
  ms: 1,
});

describe('the report', () => {
  it('is a matrix, and names the law that a failure breaks', () => {
    const report = conformanceReport([
      result('busy', 'rest', 'passed'),
      result('ui-events', 'rest', 'not offered'),
      result('busy', 'socket.io', 'failed', 'the code is FORBIDDEN'),
      result('ui-events', 'socket.io', 'not offered'),
    ]);
    expect(report.split('\n').slice(1)).toEqual([
      'scenario   rest  socket.io',
      'busy       ok    FAILED',
      'ui-events  –     –',
      '',
      'busy over socket.io: the code is FORBIDDEN',
      '  While a turn runs, a second message is refused with TURN_IN_PROGRESS.',
      '',
      '1 passed, 1 failed',
    ]);
  });

  it('has its scenarios, each with another name, in docs/conformance.md', () => {
    const document = readFileSync(join(__dirname, '../../../../docs/conformance.md'), 'utf8');
    const listed = [...document.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, name, law]) => ({ name, law }));
    expect(listed).toEqual(expect.arrayContaining(SCENARIOS.map(({ name, law }) => ({ name, law }))));
    expect(listed).toHaveLength(new Set(SCENARIOS.map(({ name }) => name)).size);
  });
});
