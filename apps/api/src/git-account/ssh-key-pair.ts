import { generateKeyPairSync } from 'node:crypto';
import { parseKey, parsePrivateKey } from 'sshpk';

/** `privateKey`: in the form of OpenSSH. `publicKey`: the line that a host is given. */
type SshKeyPair = { privateKey: string; publicKey: string; fingerprint: string };

/** A new Ed25519 pair; `comment` ends the public line, to tell it apart in a host's list. */
export function newSshKeyPair(comment: string): SshKeyPair {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = parsePrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }), 'pem');
  key.comment = comment;
  const shown = key.toPublic();
  shown.comment = comment;
  return {
    privateKey: key.toString('openssh'),
    publicKey: shown.toString('ssh').trim(),
    fingerprint: shown.fingerprint('sha256').toString(),
  };
}

/** Type and fingerprint of each key in lines of a known_hosts file; what cannot be read is left out. */
export function readHostKeys(lines: string): { type: string; fingerprint: string }[] {
  return lines.split('\n').flatMap((line) => {
    const [, type = '', key = ''] = line.split(' ');
    try {
      return [{ type, fingerprint: parseKey(`${type} ${key}`, 'ssh').fingerprint('sha256').toString() }];
    } catch {
      return [];
    }
  });
}
