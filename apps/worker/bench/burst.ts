import type { BareClaude } from './bare-claude';
import type { Product } from './product';
import { figureRow, ratioRow, type Row } from './report';
import { median, pairedRatios } from './statistics';

const DELTAS = 3_000;
const BURST = `[[burst ${DELTAS}]]`;

/** A burst of deltas: when the answer is complete, and what it cost the viewer's line. */
export async function measureBurst(bare: BareClaude, product: Product, rounds: number): Promise<Row[]> {
  const bareFinal: number[] = [];
  const ours: number[] = [];
  const bytes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const session = await product.openSessionWithFiles();
    const alone = await bare.run(BURST);
    const run = await product.run(session, BURST);
    if (alone.text !== run.text) throw new Error('the texts of the burst differ, so the run is void');
    bareFinal.push(alone.finalMs);
    ours.push(run.finalMs);
    bytes.push(run.clientBytes);
    await product.closeSessions(session);
  }
  return [
    ratioRow(
      `burst of ${DELTAS} deltas, final ÷ bare`,
      pairedRatios(ours, bareFinal),
      { most: 1 },
      `${median(ours).toFixed(0)} ms : ${median(bareFinal).toFixed(0)} ms, cold`,
    ),
    figureRow(
      `burst of ${DELTAS} deltas, bytes to the client`,
      median(bytes) / 1000,
      'kB',
      { most: 100 },
      'text equal',
    ),
  ];
}
