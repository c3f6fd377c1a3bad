// npm run release -- X.Y.Z   tests, commits and tags a release of this checkout. Nothing is pushed. See
// CONTRIBUTING.md.
import { release } from '../launcher/release/release.mjs';
import { explain, Sentence } from '../launcher/text/sentence.mjs';

const [version, ...rest] = process.argv.slice(2);
try {
  if (version === undefined || rest.length > 0) throw new Sentence('Name one version: npm run release -- 0.2.0');
  await release(version);
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n`);
  process.exitCode = 1;
}
