import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownPlace, chooseDataDir } from '../host/places.mjs';
import { Sentence } from '../text/sentence.mjs';

/**
 * The connection string of the configured database, or of the embedded one that runs now.
 * @param {NodeJS.ProcessEnv} env
 */
export function findDatabase(env) {
  if (env.DATABASE_URL) return env.DATABASE_URL;
  const candidates = [chooseDataDir(env, { runtimeIsCopy: false }), join(ownPlace(), 'data')];
  for (const dataDir of candidates) {
    const directory = socketDirectoryOf(join(dataDir, 'postgres'));
    if (directory) return `postgresql://chirality@localhost/chirality?host=${encodeURIComponent(directory)}`;
  }
  throw new Sentence(
    'The embedded database is not running: start Chirality with npm start first, or set DATABASE_URL.',
  );
}

/**
 * Postgres writes where it listens into the fifth line of its pid file, which exists while it runs.
 * @param {string} data
 */
function socketDirectoryOf(data) {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[4];
  } catch {
    return undefined;
  }
}
