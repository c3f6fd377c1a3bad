import { conformanceReport, runConformance, type Transport } from '@chirality/conformance';
import { connectionOf, connect, type AccountOptions } from '../account/connect';
import { EXIT, type ExitCode } from '../program/exit-code';
import type { Terminal } from '../program/terminal';
import { oneLine, safeJson } from '../text/safe-text';
import { projectOf } from './projects';

type ConformanceChoice = {
  against?: string;
  project?: string;
  transport?: Transport[];
  only?: string[];
  foreignSession?: string;
  json?: boolean;
};

/** Proves a server: the same scenarios over every transport. Fails where one of them does. */
export async function conformance(
  { environment, out, note }: Terminal,
  account: AccountOptions,
  { against, project, transport, only, foreignSession, json }: ConformanceChoice,
): Promise<ExitCode> {
  const asked = against === undefined ? account : { ...account, server: against };
  const { server, token } = connectionOf(asked, environment);
  const { id: projectId, teamId } = await projectOf(connect(asked, environment), project);
  const results = await runConformance({
    url: server,
    token,
    teamId,
    projectId,
    ...(transport === undefined ? {} : { transports: transport }),
    ...(only === undefined ? {} : { only }),
    ...(foreignSession === undefined ? {} : { foreignSession }),
    onResult: ({ scenario, transport: over, verdict, ms }) =>
      note(`${over} ${scenario}: ${verdict}${verdict === 'not offered' ? '' : ` in ${ms} ms`}\n`),
  });
  if (json) out(results.map((result) => `${safeJson(result)}\n`).join(''));
  else out(`${conformanceReport(results).split('\n').map(oneLine).join('\n')}\n`);
  return results.some(({ verdict }) => verdict === 'failed') ? EXIT.failed : EXIT.done;
}
