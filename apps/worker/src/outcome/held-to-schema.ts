import type { OutputSchema } from '@chirality/contracts';
import { outputFault } from '@chirality/platform';
import type { RunReport } from '../harness/harness-output';

type Judged = Pick<RunReport, 'outcome' | 'error' | 'retryable' | 'structured'>;

/**
 * How a run ended where its answer has to be what a schema says. The program calls it a success when the model never
 * answers by it, and what it hands over comes from inside the sandbox: it is held against the schema here.
 */
export function heldToSchema(report: Judged, schema: OutputSchema | null): Judged {
  const { outcome, error, retryable, structured } = report;
  if (schema === null || outcome !== 'completed') return { outcome, error, retryable, structured: null };
  const fault =
    structured === null
      ? 'the model answered in words and did not hand over an object'
      : outputFault(schema, structured);
  if (fault === null) return { outcome, error, retryable, structured };
  const detail = `The answer does not follow the schema of this turn: ${fault}. Its text is kept; simplify the schema, or ask again.`;
  return { outcome: 'failed', error: { code: 'SCHEMA_NOT_FOLLOWED', detail }, retryable: false, structured: null };
}
