const { readFileSync } = require('node:fs');
const { join } = require('node:path');

// ESM-only packages that Jest cannot require() below Node 24.9: swc turns them into CommonJS.
const esmPackages = [
  '@nestjs',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  '@borewit',
  'ulid',
  'p-limit',
  'yocto-queue',
  '@octokit',
  'content-type',
  'before-after-hook',
  'json-with-bigint',
  'universal-user-agent',
  'gitea-js',
  'micromark[a-z-]*',
  'character-entities[a-z0-9-]*',
  'decode-named-character-reference',
];
const swc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));
delete swc.exclude;
swc.swcrc = false;

const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '^.+\\.(t|j|mj)s$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  moduleNameMapper: {
    // A thread of a test runs the sources too.
    '/thread-options$': '<rootDir>/libs/testing/test/source-thread-options.cjs',
    '^@chirality/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    // Its only entry is for `import`, which Node takes for require() too.
    '^file-type$': '<rootDir>/node_modules/file-type/index.js',
  },
  modulePathIgnorePatterns: ['/dist/', '/.chirality/', '/.nx/'],
};

module.exports = {
  // A busy machine is no failure: only what hangs is. Specs that need longer say so themselves.
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      // Not by testPathIgnorePatterns, in whose place Jest puts those of the command line.
      testMatch: [
        '<rootDir>/{libs,apps}/*/{src,test}/**/*.spec.{ts,tsx}',
        '<rootDir>/{scripts,launcher}/**/*.spec.mjs',
        '!**/*.medium.spec.*',
      ],
    },
    {
      ...common,
      displayName: 'medium',
      testMatch: [
        '<rootDir>/{libs,apps}/*/{src,test}/**/*.medium.spec.ts',
        '<rootDir>/{scripts,launcher}/**/*.medium.spec.mjs',
      ],
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/apps/*/e2e/**/*.e2e-spec.ts', '<rootDir>/scripts/**/*.e2e-spec.mjs'],
    },
  ],
};
