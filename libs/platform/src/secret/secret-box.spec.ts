import { randomBytes } from 'node:crypto';
import { deriveKey, SecretBox, SecretBoxError } from './secret-box';

describe('SecretBox', () => {
  const secret = randomBytes(32);
  const box = new SecretBox(secret);

  it('opens what it sealed, byte for byte, text and binary', () => {
    const binary = randomBytes(1000);
    expect(box.open(box.seal('sk-ant-ü\u0000x', 'key:1'), 'key:1').toString()).toBe('sk-ant-ü\u0000x');
    expect(box.open(box.seal(binary, 'key:1'), 'key:1')).toEqual(binary);
    expect(box.open(box.seal('', 'key:1'), 'key:1')).toEqual(Buffer.alloc(0));
  });

  it('opens a view into a larger buffer, as a database driver returns it', () => {
    const sealed = box.seal('value', 'a');
    const larger = Buffer.concat([randomBytes(7), sealed, randomBytes(3)]);
    expect(box.open(new Uint8Array(larger.buffer, larger.byteOffset + 7, sealed.length), 'a').toString()).toBe('value');
  });

  it('never seals the same text to the same bytes, nor leaves it readable', () => {
    const first = box.seal('the same secret', 'a');
    expect(box.seal('the same secret', 'a').equals(first)).toBe(false);
    expect(first.includes('the same secret')).toBe(false);
  });

  it('refuses a box that belongs to something else', () => {
    const sealed = box.seal('value', 'key:1');
    expect(() => box.open(sealed, 'key:2')).toThrow(SecretBoxError);
  });

  it('refuses a change of any single byte', () => {
    const sealed = box.seal('value', 'key:1');
    for (let at = 0; at < sealed.length; at += 1) {
      const damaged = Buffer.from(sealed);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(() => box.open(damaged, 'key:1')).toThrow(SecretBoxError);
    }
  });

  it('refuses what is cut short', () => {
    const sealed = box.seal('value', 'key:1');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => box.open(sealed.subarray(0, length), 'key:1')).toThrow(SecretBoxError);
    }
  });

  it('opens boxes of an earlier key after a rotation and says that they are outdated', () => {
    const old = box.seal('value', 'key:1');
    const rotated = new SecretBox(randomBytes(32), [secret]);
    expect(rotated.open(old, 'key:1').toString()).toBe('value');
    expect(rotated.isOutdated(old)).toBe(true);
    expect(rotated.isOutdated(rotated.seal('value', 'key:1'))).toBe(false);
    expect(() => new SecretBox(randomBytes(32)).open(old, 'key:1')).toThrow(/not configured/);
  });
});

describe('deriveKey', () => {
  it('is stable for a purpose and different between purposes', () => {
    const secret = Buffer.alloc(32, 7);
    expect(deriveKey(secret, 'jwt')).toEqual(deriveKey(secret, 'jwt'));
    expect(deriveKey(secret, 'jwt')).not.toEqual(deriveKey(secret, 'mail'));
    expect(deriveKey(secret, 'jwt')).toHaveLength(32);
  });
});
