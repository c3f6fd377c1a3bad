// npm test: everything that can be checked, from a bare clone. Plain JavaScript: it runs before anything is installed.
import { complainAboutNode } from '../launcher/host/node-version.mjs';

const complaint = complainAboutNode(process.versions.node);
if (complaint) {
  process.stderr.write(complaint + '\n');
  process.exit(1);
}
const { main } = await import('../launcher/test/test.mjs');
await main(process.argv.slice(2));
