import fc from 'fast-check';
import { maskText } from './mask-text';
import { SAMPLES, SAMPLES_IN_CONTEXT } from '../../test/masking-samples';
import { MaskingStream } from './masking-stream';

function maskInPieces(pieces: string[], patterns?: ConstructorParameters<typeof MaskingStream>[0]): string {
  const stream = new MaskingStream(patterns);
  return pieces.map((piece) => stream.push(piece)).join('') + stream.flush();
}

function cutAt(text: string, cuts: number[]): string[] {
  const points = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...points].map((start, index) => text.slice(start, points[index] ?? text.length));
}

const TEAM = [
  { kind: 'team-secret', literal: 'hunter2-hunter2' },
  { kind: 'team-secret', literal: 'sk-ant-but-ours' },
  { kind: 'acme-token', prefix: 'acme_', characters: 'hex', minLength: 8 },
] as const;

/** Text that is made of secrets, their halves, the words around them, and noise. */
const fragments = [
  ...Object.values(SAMPLES),
  ...Object.values(SAMPLES_IN_CONTEXT).flat(),
  ...TEAM.map((pattern) => ('literal' in pattern ? pattern.literal : `${pattern.prefix}0123abcdef`)),
  ...[
    '-----BEGIN ',
    'PRIVATE KEY',
    '-----',
    '-----END ',
    'eyJ',
    'eyJhbGciOi',
    '.',
    'Bearer',
    'bearer: ',
    'secret_key=',
    '://u:',
    '@',
  ],
  ...[
    'sk-',
    'ghp_',
    'gh',
    'AKIA',
    'xox',
    'npm_',
    ' ',
    '\n',
    '\\n',
    '%3D',
    '\u001b[32m',
    '"',
    ' the words ',
    'é',
    '🙂',
    '«redacted:jwt»',
  ],
];
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...fragments) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...fragments), fc.nat(60)).map(([text, length]) => text.slice(0, length)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...fragments), fc.nat(60)).map(([text, start]) => text.slice(start)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('a', '0', 'A', '-', '_', '/')
      .chain((one) => fc.nat(400).map((count) => one.repeat(count))),
  },
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

describe('masking a stream', () => {
  it.each(Object.entries(SAMPLES))('replaces a %s, alone and inside text', (kind, secret) => {
    const marker = `«redacted:${kind === 'github-fine' ? 'github-token' : kind}»`;
    expect(maskText(secret)).toBe(marker);
    expect(maskText(`before ${secret} after`)).toBe(`before ${marker} after`);
    expect(maskText(`KEY="${secret}"`)).toBe(`KEY="${marker}"`);
    expect(maskText(`{"log":"first\\n${secret}\\nlast"}`)).toBe(`{"log":"first\\n${marker}\\nlast"}`);
    expect(maskText(`\u001b[32m${secret}\u001b[0m`)).toBe(`\u001b[32m${marker}\u001b[0m`);
    expect(maskText(`?token%3D${secret}`)).toBe(`?token%3D${marker}`);
  });

  it.each(Object.entries(SAMPLES_IN_CONTEXT))(
    'replaces a %s and keeps the words before it',
    (kind, [words, secret]) => {
      expect(maskText(`${words}${secret}@host`.replace(kind === 'url-password' ? /$^/ : /@host$/, ''))).toBe(
        `${words}«redacted:${kind}»${kind === 'url-password' ? '@host' : ''}`,
      );
    },
  );

  it('finds the value of a secret in the forms that files and logs have', () => {
    const secret = SAMPLES_IN_CONTEXT['aws-secret-key']?.[1] ?? '';
    const forms = [
      `Secret access key: ${secret}`,
      `AWS_SECRET_ACCESS_KEY=${secret}`,
      `"SecretAccessKey": "${secret}",`,
      `secretKey => '${secret}'`,
      `\\"secret_key\\": \\"${secret}\\"`,
    ];
    for (const form of forms) expect(maskText(form)).toBe(form.replace(secret, '«redacted:aws-secret-key»'));
  });

  it('finds the secret beside its key in a list of them', () => {
    const list = `Access key ID,Secret access key\n${SAMPLES['aws-access-key']},${SAMPLES_IN_CONTEXT['aws-secret-key']?.[1]}\n`;
    expect(maskText(list)).toBe(
      'Access key ID,Secret access key\n«redacted:aws-access-key»,«redacted:aws-secret-key»\n',
    );
  });

  it('lets the names of things pass that only look like the start of a secret', () => {
    for (const name of [
      'bearer of good tidings',
      'Bearer $TOKEN',
      'Bearer YOUR_ACCESS_TOKEN',
      'class="sk-fading-circle"',
      'npm_config_registry',
      'ghp_',
      'AKIA',
      'secret key: see below',
      'http://localhost:3000/a@b',
    ]) {
      expect(maskText(name)).toBe(name);
    }
  });

  it('gives the same text for every cut into deltas', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(5_000), { maxLength: 40 }), (whole, cuts) => {
        expect(maskInPieces(cutAt(whole, cuts), TEAM)).toBe(maskText(whole, TEAM));
      }),
      { numRuns: 3_000 },
    );
  });

  it('gives the same text when every character is a delta', () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(maskInPieces(whole.split(''), TEAM)).toBe(maskText(whole, TEAM));
      }),
      { numRuns: 1_000 },
    );
  });

  it('lets no sample through, wherever it stands between words', () => {
    const words = fc
      .array(fc.constantFrom('', ' ', 'word ', '\n', '"', '=', 'é', '(', '\t'), { maxLength: 5 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(words, fc.constantFrom(...Object.values(SAMPLES)), words, (before, secret, after) => {
        expect(maskText(before + secret + after)).not.toContain(secret.slice(4, 24));
      }),
    );
  });

  it('masks nothing twice', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const masked = maskText(whole, TEAM);
        expect(maskText(masked, TEAM)).toBe(masked);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is as new after a flush', () => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        const stream = new MaskingStream(TEAM);
        stream.push(first);
        stream.flush();
        expect(stream.push(second) + stream.flush()).toBe(maskText(second, TEAM));
      }),
      { numRuns: 500 },
    );
  });
});

describe('what a masking stream holds back', () => {
  const prose =
    'The scheduler claims a row, runs the process and settles it; see apps/worker/src/turn.ts and git log --oneline. ' +
    'What skips a beat is sent again: nothing begins twice -- the beer server answers `http://localhost:3000/health`. ' +
    '- item one\n- item two\n\n| a | b |\n|---|---|\n\n```ts\nconst skills = [eyes, ghosts, keys];\n``` The key is secret. ';

  it.each([1, 3, 7, 12])('is almost nothing of plain text in deltas of %i characters', (size) => {
    const stream = new MaskingStream();
    let waiting = 0;
    for (let at = 0; at < prose.length; at += size) {
      stream.push(prose.slice(at, at + size));
      waiting += stream.heldBack;
      expect(stream.heldBack).toBeLessThanOrEqual(6);
    }
    expect(waiting / Math.ceil(prose.length / size)).toBeLessThan(0.5);
  });

  it('is nothing when words are the deltas', () => {
    const stream = new MaskingStream();
    for (const word of 'The quick brown fox jumps over the lazy dog and keeps every key for its bearer'.match(
      /\s?\S+/g,
    ) ?? []) {
      expect(stream.push(word)).toBe(word);
    }
  });

  it('is never more than 8 KiB', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(5_000), { maxLength: 40 }), (whole, cuts) => {
        const stream = new MaskingStream(TEAM);
        for (const delta of cutAt(whole, cuts)) {
          stream.push(delta);
          expect(stream.heldBack).toBeLessThanOrEqual(8_192);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is released when a possible secret turns out to be none', () => {
    const stream = new MaskingStream();
    expect(stream.push('see ghp_tooshort')).toBe('see ');
    expect(stream.push(' and more')).toBe('ghp_tooshort and more');
    stream.flush();
    expect(stream.push('eyJ')).toBe('');
    expect(stream.push('a'.repeat(3_000))).toBe(`eyJ${'a'.repeat(3_000)}`);
  });
});

describe('masking adversarial text', () => {
  const size = 150_000;
  const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length));

  // Work that grew with the square of the length would take minutes here, not a moment.
  it.each([
    ['starts of tokens', 'eyJaaaaaaa-'],
    ['dashes', '-'],
    ['openings of keys', '-----BEGIN PRIVATE KEY-----\n'],
    ['closings of keys', '-----END PRIVATE KEY-----'],
    ['prefixes', 'sk-'],
    ['words before secrets', 'bearer secret_key= '],
    ['colons', '://a:'],
    ['one long run', 'eyJa'],
    ['escapes', '\\n'],
  ])('made of %s, whole and in small deltas', (_name, unit) => {
    const whole = fill(unit);
    const pieces = whole.match(/[\s\S]{1,7}/g) ?? [];
    expect(maskInPieces(pieces)).toBe(maskText(whole));
  });
});
