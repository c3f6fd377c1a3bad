import { passwordFault } from './password-fault';

const OWNER = { email: 'anna.smith@example.org', name: 'Anna Smith' };

describe('passwordFault', () => {
  it.each([
    '1234567890',
    'aaaaaaaaaa',
    'qwertyuiop',
    'password12',
    'Password123',
    'iloveyou12',
    'P@ssw0rd12',
    'abcdefghij',
    'qwertyuiop1234567890',
    'Summer2026!',
    'Chirality2026',
    'a'.repeat(200),
  ])('refuses the common or easily guessed %s', async (password) => {
    expect(await passwordFault(password, OWNER)).toMatch(/most common|too easy/);
  });

  it.each(['anna.smith@example.org', 'AnnaSmith2026', 'smith-anna-1987!', 'Anna.Smith.99', 'example.org-2026'])(
    'refuses %s, which is the owner’s name or address',
    async (password) => {
      expect(await passwordFault(password, OWNER)).toMatch(/your name or e-mail/);
    },
  );

  it('says how long a password must be', async () => {
    expect(await passwordFault('x9$Kq!2mP', OWNER)).toBe('Use at least 10 characters.');
  });

  it.each([
    'x9$Kq!2mPz',
    'correct-horse-battery',
    'anna likes to swim at midnight',
    'пароль за семью печатями',
    '正しい馬の電池とホチキスの針',
  ])('takes %s', async (password) => {
    expect(await passwordFault(password, OWNER)).toBeNull();
  });

  it('does not take an empty name or address for a word', async () => {
    expect(await passwordFault('correct-horse-battery', { email: '', name: '' })).toBeNull();
  });
});
