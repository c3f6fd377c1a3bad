// npm run lint: the lint of npm test, alone.
import { CHECKS, runChecks } from '../launcher/test/checks.mjs';

const { failed } = await runChecks(CHECKS.filter(({ name }) => name === 'Lint'));
process.exitCode = failed;
