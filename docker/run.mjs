// Runs a program of the image with the installation's secrets, which are files, as the settings that it reads.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const directory = process.env.CHIRALITY_SECRETS_DIR ?? '/secrets';
/** @type {(name: string) => string} */
const secret = (name) => {
  try {
    return readFileSync(join(directory, name), 'utf8').trim();
  } catch {
    return '';
  }
};

const { DATABASE_URL, POSTGRES_HOST, CHIRALITY_SECRET_KEY } = process.env;
const password = secret('postgres-password');
if (!DATABASE_URL && POSTGRES_HOST && password)
  process.env.DATABASE_URL = `postgresql://chirality:${password}@${POSTGRES_HOST}/chirality`;
if (!CHIRALITY_SECRET_KEY) process.env.CHIRALITY_SECRET_KEY = secret('secret-key');

const [word] = process.argv.splice(2, 1);
if (word === undefined) throw new Error('Name a program: node docker/run.mjs PROGRAM [WORDS]');
const program = resolve(word);
process.argv[1] = program;
await import(pathToFileURL(program).href);
