import type { Transport } from '../driver/driver';
import { CONFORMANCE_VERSION, SCENARIOS, type Result } from './run-conformance';

const SIGNS = { passed: 'ok', failed: 'FAILED', 'not offered': '–' } as const;

/** The results as a table, a line each scenario, then each failure with the law that it breaks. */
export function conformanceReport(results: readonly Result[]): string {
  const transports = [...new Set(results.map(({ transport }) => transport))];
  const scenarios = [...new Set(results.map(({ scenario }) => scenario))];
  const cell = (scenario: string, transport: Transport) =>
    SIGNS[
      results.find((result) => result.scenario === scenario && result.transport === transport)?.verdict ?? 'not offered'
    ];
  const first = Math.max('scenario'.length, ...scenarios.map(({ length }) => length));
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(first), ...cells.map((text, index) => text.padEnd(transports[index]?.length ?? 0))]
      .join('  ')
      .trimEnd();
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  return [
    `Conformance ${CONFORMANCE_VERSION}`,
    line('scenario', transports),
    ...scenarios.map((scenario) =>
      line(
        scenario,
        transports.map((transport) => cell(scenario, transport)),
      ),
    ),
    ...failed.flatMap(({ scenario, transport, detail }) => [
      '',
      `${scenario} over ${transport}: ${detail}`,
      `  ${SCENARIOS.find(({ name }) => name === scenario)?.law ?? ''}`,
    ]),
    '',
    `${results.filter(({ verdict }) => verdict === 'passed').length} passed, ${failed.length} failed`,
  ].join('\n');
}
