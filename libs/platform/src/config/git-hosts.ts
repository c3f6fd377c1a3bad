import { accessSync, constants, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { parsePrivateHosts, type PrivateHosts } from '@chirality/domain';
import { ConfigError } from './config-error';

/** Names and ranges of addresses that may be private ones, parted by commas. */
export function readPrivateHosts(value: string): PrivateHosts {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  try {
    return parsePrivateHosts(entries);
  } catch (error) {
    throw new ConfigError(`CHIRALITY_PRIVATE_HOSTS: ${(error as Error).message}`);
  }
}

/** The file of authorities that count beside the system's; null where none is named. */
export function readableAuthorities(path: string | null): string | null {
  if (path === null) return null;
  if (!isAbsolute(path)) throw new ConfigError(`CHIRALITY_CA_FILE: ${path} must be an absolute path`);
  let text: string;
  try {
    accessSync(path, constants.R_OK);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`CHIRALITY_CA_FILE: ${path} cannot be read by this user (${code})`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new ConfigError(`CHIRALITY_CA_FILE: ${path} holds no certificate in PEM form`);
  return path;
}
