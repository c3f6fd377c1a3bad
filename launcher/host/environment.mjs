import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Sentence } from '../text/sentence.mjs';

/** The variables of the shell over those of `.env` in the checkout; an empty one counts as missing. */
export function readEnvironment(checkout, shell = process.env) {
  const values = { ...readDotEnv(join(checkout, '.env')) };
  for (const [name, value] of Object.entries(shell)) if (value !== '' || !(name in values)) values[name] = value;
  return values;
}

function readDotEnv(path) {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw new Sentence(`${path} cannot be read (${error.code}): make it readable for this user, or remove it.`);
  }
}
