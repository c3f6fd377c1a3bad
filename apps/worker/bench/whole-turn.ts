import type { BareClaude } from './bare-claude';
import type { Product } from './product';
import { ratioRow, type Row } from './report';
import { median, pairedRatios } from './statistics';

const THINK = '[[slow words=100 delay=29]]';
const LOOK = '[[tool Glob {"pattern":"**/*.md"}]]';
/** About twelve seconds: four stretches of text and three tools between them. */
const MESSAGE = [THINK, `&${LOOK} `, THINK, `&${LOOK} `, THINK, `&${LOOK} `, THINK].join('');

/** A whole turn as people have them, most of which is the model's own time. */
export async function measureWholeTurn(bare: BareClaude, product: Product, rounds: number): Promise<Row[]> {
  const alone: number[] = [];
  const parked: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const session = await product.openSession();
    await product.run(session, '[[text Warm.]]');
    const one = await bare.run(MESSAGE);
    const ours = await product.run(session, MESSAGE);
    if (ours.process !== 'parked' || one.text !== ours.text)
      throw new Error('the whole turns differ, so the run is void');
    alone.push(one.finalMs);
    parked.push(ours.finalMs);
  }
  const detail = `${(median(parked) / 1000).toFixed(2)} s : ${(median(alone) / 1000).toFixed(2)} s, 3 tools, parked`;
  return [ratioRow('whole realistic turn, final ÷ bare', pairedRatios(parked, alone), { most: 1 }, detail)];
}
