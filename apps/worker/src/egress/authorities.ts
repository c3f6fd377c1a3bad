import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** Where distributions keep the authorities of the system in one file. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Writes the system's authorities and those of the operator's file into one, which is what programs take, and answers
 * its path; null where the operator names none.
 */
export function authoritiesFile(caFile: string | null, path: string): string | null {
  if (caFile === null) return null;
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${systemAuthorities().trimEnd()}\n${readFileSync(caFile, 'utf8').trimEnd()}\n`, {
    mode: 0o444,
  });
  renameSync(temporary, path);
  return path;
}

function systemAuthorities(): string {
  for (const bundle of SYSTEM_BUNDLES) {
    try {
      return readFileSync(bundle, 'utf8');
    } catch {
      // Another distribution.
    }
  }
  return rootCertificates.join('\n');
}
