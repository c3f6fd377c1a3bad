// npm start: everything that a running Chirality needs, on one machine. Plain JavaScript: it runs before anything is
// installed.
import { complainAboutNode } from '../launcher/host/node-version.mjs';

const complaint = complainAboutNode(process.versions.node);
if (complaint) {
  process.stderr.write(complaint + '\n');
  process.exit(1);
}
// Imported late, so that an old Node says the sentence above and not a syntax error.
const { main } = await import('../launcher/start/start.mjs');
await main(process.argv.slice(2));
