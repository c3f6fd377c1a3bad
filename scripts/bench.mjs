import { main } from '../launcher/test/bench.mjs';

await main(process.argv.slice(2));
