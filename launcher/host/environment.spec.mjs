import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from './environment.mjs';

describe('readEnvironment', () => {
  /** @type {string} */
  let checkout;
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(() => rmSync(checkout, { recursive: true }));

  it('takes the shell over .env, and .env over an empty variable of the shell', () => {
    writeFileSync(
      join(checkout, '.env'),
      '# settings\nPORT=4000\nHOST="127.0.0.2"\n#SMTP_URL=x\nANTHROPIC_API_KEY=from-file # note\n',
    );
    expect(readEnvironment(checkout, { PORT: '5000', HOST: '', OTHER: '1' })).toEqual({
      PORT: '5000',
      HOST: '127.0.0.2',
      ANTHROPIC_API_KEY: 'from-file',
      OTHER: '1',
    });
  });

  it('needs no .env', () => {
    expect(readEnvironment(checkout, { PORT: '5000', EMPTY: '' })).toEqual({ PORT: '5000', EMPTY: '' });
  });
});
