import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type SelfSigned = { key: string; certificate: string };

/** A key and a certificate for these names that is its own authority, good from yesterday for a month. Node makes keys, but no certificates. */
export function selfSigned(names: readonly string[]): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const subject = sequence(tlv(0x31, sequence(oid(0x55, 0x04, 0x03), tlv(0x0c, Buffer.from('Test authority')))));
  const day = 86_400_000;
  const validity = sequence(time(Date.now() - day), time(Date.now() + 30 * day));
  const extensions = sequence(
    extension(oid(0x55, 0x1d, 0x13), sequence(tlv(0x01, Buffer.from([0xff])))),
    extension(oid(0x55, 0x1d, 0x11), sequence(...names.map((name) => tlv(0x82, Buffer.from(name))))),
  );
  const serial = tlv(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)]));
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    serial,
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, extensions),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const base64 = sequence(body, algorithm, signature)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}-----END CERTIFICATE-----\n`,
  };
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function oid(...bytes: number[]): Buffer {
  return tlv(0x06, Buffer.from(bytes));
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, tlv(0x04, value));
}

/** UTCTime: `YYMMDDhhmmssZ`. */
function time(atMs: number): Buffer {
  return tlv(0x17, Buffer.from(`${new Date(atMs).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}
