import type { OutputSchema } from '@chirality/contracts';
import type { SchemaJudge } from '@chirality/platform';
import type { RunReport } from '../harness/harness-output';

export type Judged = Pick<RunReport, 'outcome' | 'error' | 'retryable' | 'structured'>;

/**
 * How a run ended where its answer has to be what a schema says. The program calls it a success when the model never
 * answers by it, and what it hands over comes from inside the sandbox: it is held against the schema here. At once
 * where there is nothing to judge. Never rejects.
 */
export function heldToSchema(
  report: Judged,
  schema: OutputSchema | null,
  judge: Pick<SchemaJudge, 'outputFault'>,
  sessionId: string,
): Judged | Promise<Judged> {
  const { outcome, error, retryable, structured } = report;
  if (schema === null || outcome !== 'completed') return { outcome, error, retryable, structured: null };
  if (structured === null) return notFollowed('the model answered in words and did not hand over an object');
  return judge.outputFault(sessionId, schema, structured).then(
    (fault) => (fault === null ? { outcome, error, retryable, structured } : notFollowed(fault)),
    () => notFollowed('it could not be checked'),
  );
}

function notFollowed(fault: string): Judged {
  const detail = `The answer does not follow the schema of this turn: ${fault}. Its text is kept; simplify the schema, or ask again.`;
  return { outcome: 'failed', error: { code: 'SCHEMA_NOT_FOLLOWED', detail }, retryable: false, structured: null };
}
