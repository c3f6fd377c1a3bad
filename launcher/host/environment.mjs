import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { codeOf } from '../text/errors.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * The variables of the shell over those of `.env` in the checkout; an empty one counts as missing.
 * @param {string} checkout
 * @param {NodeJS.ProcessEnv} [shell]
 * @returns {NodeJS.ProcessEnv}
 */
export function readEnvironment(checkout, shell = process.env) {
  /** @type {NodeJS.ProcessEnv} */
  const values = { ...readDotEnv(join(checkout, '.env')) };
  for (const [name, value] of Object.entries(shell)) if (value !== '' || !(name in values)) values[name] = value;
  return values;
}

/** @param {string} path */
function readDotEnv(path) {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return {};
    throw new Sentence(`${path} cannot be read (${code}): make it readable for this user, or remove it.`);
  }
}
