import { complainAboutNode } from './node-version.mjs';

describe('complainAboutNode', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.21.1', '100.0.0'])('accepts %s', (version) => {
    expect(complainAboutNode(version)).toBeNull();
  });

  it.each(['20.18.9', '18.20.4', '9.11.2', '20.9.0'])('refuses %s and says what is needed', (version) => {
    expect(complainAboutNode(version)).toBe(
      `Chirality needs Node.js 20.19 or newer; this is ${version}. Install a newer one from https://nodejs.org and start again.`,
    );
  });
});
