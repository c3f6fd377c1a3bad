import { statusText } from './status-text';

describe('the status line', () => {
  it('writes nothing of a model’s name or a title that a terminal obeys', () => {
    const model = 'claude\u001b]52;c;aGk=\u0007\u001b[31m-opus\nnext';
    const text = statusText('Ti\u202etle\u009b2J', { active: null, model, costUsd: '0.5', isConnected: true });
    expect(text).toBe('ready · claude-opus next · session $0.5000 · Ti⟨U+202E⟩tle');
  });
});
