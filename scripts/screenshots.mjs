// npm run screenshots: takes the README's pictures from the demo model, so that they show what the product looks like
// now.
import { main } from '../launcher/test/screenshots.mjs';

await main();
