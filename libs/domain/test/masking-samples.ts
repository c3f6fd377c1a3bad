const AZ = 'abcdefghijklmnopqrstuvwxyz';
const KEY_LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';

/** Made-up secrets for tests, put together here so that no scanner takes this file for a leak. */
export const SAMPLES: Readonly<Record<string, string>> = {
  'aws-access-key': 'AKIA' + 'IOSFODNN7EXAMPLE',
  'chirality-token': 'chi_' + `${AZ}0123456789ABCDEFGHIJ`,
  'github-token': 'ghp_' + `${AZ}0123456789`,
  'github-fine': 'github_pat_' + `11ABCDEFG0${AZ}_${AZ}0123`,
  'anthropic-key': 'sk-ant-' + `api03-${AZ}-0123456789_AA`,
  'openai-key': 'sk-proj-' + `${AZ}0123456789`,
  'google-key': 'AIza' + 'SyD-1234567890abcdefghijklmnopqrstu',
  'slack-token': 'xoxb-' + '123456789012-abcdefghijkl',
  'stripe-key': 'sk_live_' + '4eC39HqLyjWDarjtT1zdp7dc',
  'npm-token': 'npm_' + `${AZ}0123456789`,
  jwt: `${['eyJ' + 'hbGciOiJIUzI1NiJ9', 'eyJ' + 'zdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'].join('.')}`,
  'private-key': `-----BEGIN PRIVATE ${'KEY'}-----\n${`${KEY_LINE}\n`.repeat(20)}aGVsbG8=\n-----END PRIVATE ${'KEY'}-----`,
};

/** Secrets that are known by the words before them: [those words, the secret]. */
export const SAMPLES_IN_CONTEXT: Readonly<Record<string, readonly [string, string]>> = {
  'bearer-token': ['Authorization: Bearer ', `${AZ}012345`],
  'aws-secret-key': ['aws_secret_access_key = ', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCY' + 'EXAMPLEKEY'],
  'url-password': ['postgres://app:', 's3cr3t-pass'],
};
