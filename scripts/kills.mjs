// npm run kills [-- OF_EACH]: kills the api, the worker, Postgres, Redis and the supervisor in random order, each OF_EACH times (12), without and with a key.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const DEFAULT_OF_EACH = 12;

const ofEach = Number(process.argv[2] ?? DEFAULT_OF_EACH);
if (!Number.isInteger(ofEach) || ofEach < 1) {
  process.stderr.write('Say how often each process is to be killed: npm run kills -- 12\n');
  process.exit(1);
}
const test = fileURLToPath(new URL('test.mjs', import.meta.url));
const child = spawn(process.execPath, [test, '--only', 'e2e', 'scripts/random-kills'], {
  stdio: 'inherit',
  env: { ...process.env, CHIRALITY_KILLS_OF_EACH: String(ofEach) },
});
const [code] = await once(child, 'exit');
process.exit(code ?? 1);
