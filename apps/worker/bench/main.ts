import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel } from '@chirality/scripted-model';
import { startStack } from '@chirality/testing';
import { BareClaude } from './bare-claude';
import { measureClone } from './clone/measure-clone';
import { measureBurst } from './burst';
import { measureDelivery } from './delivery';
import { measureHarnesses } from './harnesses';
import { measureLatency } from './latency';
import { measurePage } from './page';
import { measurePipeToClient } from './pipe-to-client';
import { Product } from './product';
import { tableOf, type Row } from './report';
import { measureScale } from './scale/measure-scale';
import { measureSearch } from './search/measure-search';
import { measureStreamCost } from './stream-cost';
import { measureThroughput } from './throughput';
import { measureWholeTurn } from './whole-turn';

/** The model that the service's alias resolves to, said to both sides alike. */
const MODEL = 'sonnet';

/** Share of the full scale at which a machine with little else to do takes half a minute to fill the database. */
const DEFAULT_SIZE = 0.1;

/**
 * Prints our figures as ratios to the bare program in the same run. `--quick` takes fewer rounds; other words name
 * the sections that are wanted, all without any, except `scale`, `search` and `clone`, which run only when
 * named (`--size=1`: everything).
 */
async function main(): Promise<void> {
  const quick = process.argv.includes('--quick');
  const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const rounds = quick ? 3 : 12;
  if (wanted.includes('scale')) {
    const size = Number(
      process.argv.find((word) => word.startsWith('--size='))?.slice('--size='.length) ?? DEFAULT_SIZE,
    );
    process.stdout.write(tableOf(await measureScale(size, rounds)));
    return;
  }
  if (wanted.includes('search')) {
    const size = Number(process.argv.find((word) => word.startsWith('--size='))?.slice('--size='.length) ?? 1);
    process.stdout.write(tableOf(await measureSearch(size, rounds * 3)));
    return;
  }
  if (wanted.includes('clone')) {
    const size = Number(process.argv.find((word) => word.startsWith('--size='))?.slice('--size='.length) ?? 1);
    process.stdout.write(tableOf(await measureClone(size)));
    return;
  }
  const socketPath = join(mkdtempSync(join(tmpdir(), 'chirality-model-')), 'model.sock');
  const model = await startScriptedModel({ listen: { socketPath }, directives: true, wordDelayMs: 0 });
  const stack = await startStack({ env: { CHIRALITY_LOG_LEVEL: 'info' }, postgres: { durable: true } });
  const product = await Product.open(stack);
  const bare = new BareClaude(socketPath, MODEL);
  const rows: Row[] = [];
  const section = async (name: string, measure: () => Promise<Row[]> | Row[]) => {
    if (wanted.length > 0 && !wanted.some((word) => name.startsWith(word))) return;
    process.stderr.write(`${name} …\n`);
    try {
      const measured = await measure();
      rows.push(...measured);
      process.stderr.write(tableOf(measured));
    } catch (error) {
      // The other sections are measured all the same.
      process.exitCode = 1;
      process.stderr.write(`${(error as Error).stack}\n`);
    }
  };
  try {
    await section('latency', () => measureLatency(bare, { product, stack, rounds }));
    await section('harnesses', () => measureHarnesses(bare, { product, stack, rounds }));
    await section('burst', () => measureBurst(bare, product, quick ? 2 : 5));
    for (const parallel of [2, 4])
      await section(`throughput, ${parallel} at once`, () => measureThroughput(bare, product, parallel, quick ? 2 : 5));
    await section('delivery to viewers', () => measureDelivery(stack, product, quick));
    await section('pipe to client', () => measurePipeToClient(product));
    await section('whole turn', () => measureWholeTurn(bare, product, quick ? 1 : 4));
    await section('page', () => measurePage(stack, product, quick ? 4 : 12));
    await section('stream cost', () => measureStreamCost(quick ? 5 : 20));
  } finally {
    await product.close();
    await stack.stop();
    await model.close();
  }
  process.stdout.write(
    '\nBare and product: the same claude, flags, environment and sandbox (bubblewrap, seccomp), the same scripted model.\n',
  );
  process.stdout.write(
    'Product: durable commits (fsync on), masking, gateway; a message by REST, the answer by Socket.IO.\n\n',
  );
  process.stdout.write(tableOf(rows));
}

main().catch((error: Error) => {
  process.exitCode = 1;
  process.stderr.write(`${error.stack}\n`);
});
