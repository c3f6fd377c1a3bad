// npm run fidelity: what the installed Claude Code writes, in shape, against what is stored of the one that was tested.
import { main } from '../launcher/fidelity/main.mjs';
import { explain } from '../launcher/text/sentence.mjs';

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 2;
}
