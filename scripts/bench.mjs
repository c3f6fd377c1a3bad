import { main } from './lib/bench.mjs';

await main(process.argv.slice(2));
