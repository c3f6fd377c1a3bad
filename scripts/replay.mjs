// npm run replay -- <turn>: prints the claude call of a turn, without its secrets, so that it can be run by hand.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CHECKOUT } from '../launcher/host/checkout.mjs';
import { readEnvironment } from '../launcher/host/environment.mjs';
import { findDatabase } from '../launcher/services/find-database.mjs';
import { describeLaunch } from '../launcher/start/launch-text.mjs';
import { explain, Sentence } from '../launcher/text/sentence.mjs';

/** @param {string} [turnId] */
async function replay(turnId) {
  if (turnId === undefined || !/^turn_[0-9A-Z]{26}$/.test(turnId))
    throw new Sentence('Name a turn: npm run replay -- turn_01J… (its page and the API show the id).');
  /** @type {typeof import('@chirality/database')} */
  const { createDatabase } = createRequire(import.meta.url)(join(CHECKOUT, 'libs/database/dist/index.js'));
  const database = createDatabase({ url: findDatabase(readEnvironment(CHECKOUT)), poolSize: 1 });
  try {
    const turn = await database.prisma.turn.findUnique({ where: { id: turnId } });
    if (turn === null) throw new Sentence(`There is no ${turnId} in this database.`);
    if (turn.launch === null) throw new Sentence(`No process was started for ${turnId} (it is ${turn.status}).`);
    process.stdout.write(describeLaunch({ ...turn, launch: turn.launch }));
  } finally {
    await database.close();
  }
}

try {
  await replay(process.argv[2]);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
