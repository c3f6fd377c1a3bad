// npm run doctor: what this machine has and lacks, one line each; ends with 1 when Chirality could not run turns.
import { diagnose } from '../launcher/start/diagnose.mjs';

const MARKS = { ok: '✓', note: '·', missing: '✗' };

let broken = false;
for await (const { state, text } of diagnose()) {
  broken ||= state === 'missing';
  process.stdout.write(`${MARKS[state]} ${text}\n`);
}
process.exit(broken ? 1 : 0);
