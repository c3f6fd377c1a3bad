import { maskText } from '../masking';
import { gitAccountMasks, gitTokenFault } from './git-account';

describe('the secret of a git account', () => {
  it('is taken as a token only where it is long enough to be masked', () => {
    expect(gitTokenFault('seven77')).toMatch(/incomplete/);
    expect(gitTokenFault('eight888')).toBeNull();
    expect(maskText('you sent eight888!', gitAccountMasks(null, 'eight888'))).not.toContain('eight888');
  });

  it.each([[null], ['oauth2']])('is masked in the header of a request, with the user name %s', (username) => {
    const header = Buffer.from(`${username ?? 'git'}:glpat-0123456789`).toString('base64');
    const masked = maskText(`Authorization: Basic ${header}`, gitAccountMasks(username, 'glpat-0123456789'));
    expect(masked).toMatch(/^Authorization: Basic «redacted:/);
    expect(masked).not.toContain(header.slice(0, 12));
  });
});
