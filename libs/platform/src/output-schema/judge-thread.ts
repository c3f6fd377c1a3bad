import { parentPort } from 'node:worker_threads';
import { outputFault, schemaFault } from './check-output';
import type { Judgement } from './judgement';

parentPort?.on('message', (job: Judgement) => {
  const answer = 'output' in job ? outputFault(job.schema, job.output) : schemaFault(job.schema);
  parentPort?.postMessage({ type: 'answered', answer });
});
// The first one takes several times what any other does.
schemaFault({ type: 'object' });
parentPort?.postMessage({ type: 'ready' });
