import { JwtService } from '@nestjs/jwt';
import { newId } from '@chirality/domain';
import { ProblemError } from '@chirality/platform';
import { AccessTokens, accessTokenOptions, bearerToken } from './access-tokens';

const options = accessTokenOptions({ secretKey: Buffer.alloc(32, 1) });
const tokens = new AccessTokens(new JwtService(options));
const userId = newId('user');

function refusalOf(token: string): ProblemError {
  try {
    tokens.verify(token);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('the token was accepted');
}

describe('an access token', () => {
  it('says who signed in, until when', () => {
    const now = Date.now();
    const { accessToken, expiresAtMs } = tokens.sign(userId, 'tok_1', now);
    expect(tokens.verify(accessToken)).toEqual({ userId, familyId: 'tok_1', generation: 0, expiresAtMs });
    expect(expiresAtMs - now).toBeGreaterThanOrEqual(600_000);
    expect(expiresAtMs - now).toBeLessThan(601_000);
  });

  it('says so when it expired', () => {
    const { accessToken } = tokens.sign(userId, 'tok_1', Date.now() - 700_000);
    expect(refusalOf(accessToken)).toMatchObject({
      code: 'UNAUTHENTICATED',
      detail: expect.stringContaining('expired') as string,
    });
  });

  const claims = { sub: userId, fam: 'tok_1', exp: Math.floor(Date.now() / 1000) + 60 };
  const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
  it.each([
    ['of another key', new JwtService(accessTokenOptions({ secretKey: Buffer.alloc(32, 2) })).sign(claims)],
    [
      'of another audience',
      new JwtService({ ...options, signOptions: { ...options.signOptions, audience: 'gateway' } }).sign(claims),
    ],
    ['without a signature', unsigned],
    ['without our claims', new JwtService(options).sign({ sub: userId, exp: claims.exp })],
    ['for something that is no user', new JwtService(options).sign({ ...claims, sub: 'team_1' })],
    ['that is noise', 'a.b.c'],
    ['that is empty', ''],
  ])('is refused %s', (_what, token) => {
    expect(refusalOf(token).code).toBe('UNAUTHENTICATED');
  });
});

it('a bearer header holds exactly one token', () => {
  expect(bearerToken('Bearer abc')).toBe('abc');
  expect(bearerToken('bearer abc')).toBe('abc');
  for (const other of [undefined, '', 'abc', 'Basic abc', 'Bearer', 'Bearer a b'])
    expect(bearerToken(other)).toBeUndefined();
});
