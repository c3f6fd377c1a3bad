import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { roomsPlugin } from './launcher/structure/lint-rooms.mjs';

const TESTS = [
  '**/*.spec.ts',
  '**/*.spec.tsx',
  '**/*.spec.mjs',
  '**/*.e2e-spec.ts',
  'apps/*/{test,e2e,bench}/**',
  'libs/*/test/**',
  '**/testing/**',
  'libs/testing/**',
];

const mayUse = (scope, ...targets) => ({
  sourceTag: `scope:${scope}`,
  onlyDependOnLibsWithTags: targets.map((target) => `scope:${target}`),
});

// Specs may use the testing library everywhere; the rule `boundaries in specs` below gives it to them alone.
const DIRECTION = [
  mayUse('contracts'),
  mayUse('domain', 'contracts'),
  // Published: what it needs is installed with it, so it uses none of the others.
  mayUse('client'),
  mayUse('scripted-model', 'domain', 'contracts'),
  mayUse('platform', 'domain', 'contracts'),
  mayUse('messaging', 'platform', 'domain', 'contracts'),
  mayUse('database', 'platform', 'domain', 'contracts'),
  mayUse('testing', 'client', 'database', 'messaging', 'platform', 'scripted-model', 'domain', 'contracts'),
  mayUse('api', 'database', 'messaging', 'platform', 'domain', 'contracts'),
  mayUse('worker', 'database', 'messaging', 'platform', 'scripted-model', 'domain', 'contracts'),
  mayUse('web', 'client', 'domain', 'contracts'),
  mayUse('terminal', 'client', 'conformance', 'domain', 'contracts'),
  mayUse('conformance', 'contracts'),
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
];
const DIRECTION_IN_TESTS = DIRECTION.map(({ sourceTag, onlyDependOnLibsWithTags }) => ({
  sourceTag,
  onlyDependOnLibsWithTags:
    sourceTag === 'type:lib'
      ? onlyDependOnLibsWithTags
      : [...onlyDependOnLibsWithTags, 'scope:testing', 'scope:scripted-model', 'scope:conformance', sourceTag],
}));

const boundaries = (depConstraints) => [
  'error',
  {
    depConstraints,
    allow: [],
    allowCircularSelfDependency: true,
    // A type that is named by `import()` loads nothing lazily.
    checkDynamicDependenciesExceptions: ['@chirality/.+'],
    // The database's specs run on the test database, which is migrated by the database.
    ignoredCircularDependencies: [['@chirality/database', '@chirality/testing']],
    enforceBuildableLibDependency: false,
    banTransitiveDependencies: false,
  },
];

const FENCED_MODULES = {
  bullmq: { rooms: ['libs/messaging/**'], why: 'Queues are libs/messaging’s: use its queues.' },
  ioredis: { rooms: ['libs/messaging/**'], why: 'Redis is libs/messaging’s: use its buses.' },
  pg: { rooms: ['libs/database/**'], why: 'SQL is libs/database’s: add to a repository.' },
  '@prisma/client': { rooms: ['libs/database/**'], why: 'Prisma is libs/database’s: add to a repository.' },
  '@prisma/adapter-pg': { rooms: ['libs/database/**'], why: 'Prisma is libs/database’s: add to a repository.' },
  child_process: { rooms: ['apps/worker/src/sandbox/**'], why: 'Programs are started in the sandbox room only.' },
  'node:child_process': {
    rooms: ['apps/worker/src/sandbox/**'],
    why: 'Programs are started in the sandbox room only.',
  },
};

const REQUESTS = 'Requests stand in the feature’s <noun>.api.ts: use its query or its hook, or add one.';

/** What the browser sends: by the client of lib/http only, from a feature's requests only. */
const WEB_REQUESTS = {
  paths: [{ name: 'openapi-fetch', message: REQUESTS }],
  // The composition root says who signs requests; the live connection has its token from the same.
  patterns: [
    {
      regex: '(^|/)http/(api|api-client|send-file)$',
      allowImportNames: ['signRequestsWith', 'TokenSource'],
      message: REQUESTS,
    },
  ],
  globals: ['fetch', 'XMLHttpRequest', 'EventSource'].map((name) => ({ name, message: REQUESTS })),
};

const restrictedImports = (free, { paths = [], patterns = [] } = {}) => [
  'error',
  {
    paths: [
      ...Object.entries(FENCED_MODULES)
        .filter(([, { rooms }]) => !rooms.includes(free))
        .map(([name, { why }]) => ({ name, message: why })),
      ...paths,
    ],
    patterns: [
      ...patterns,
      ...(free === 'libs/database/**'
        ? []
        : [{ regex: '/generated/client$', message: 'Prisma’s client is libs/database’s: add to a repository.' }]),
      {
        regex: '(^|/)harness/(claude-code|agent-sdk)(/|$)',
        message: 'A harness is used by its name: see harness/harness.ts and harness/registry/harnesses.ts.',
      },
      { regex: '^\\..*\\.(js|ts|tsx|mjs)$', message: 'Relative imports have no extension.' },
      { regex: '^@chirality/[a-z-]+/', message: 'Import the library, not a file of it.' },
    ],
  },
];
const ROOMS = [...new Set(Object.values(FENCED_MODULES).flatMap(({ rooms }) => rooms))];

const ENVIRONMENT = [
  'error',
  {
    object: 'process',
    property: 'env',
    message: 'The environment is read in libs/platform/src/config: take what you need from Config.',
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.nx/**',
      '.chirality/**',
      'coverage/**',
      '**/generated/**',
      'examples/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strict],
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['prisma.config.ts'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(DIRECTION),
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // Nest modules are classes that only carry a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowStaticOnly: false }],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      'no-restricted-imports': restrictedImports(null),
      'no-restricted-properties': ENVIRONMENT,
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Under noUncheckedIndexedAccess it is the honest way to write an index that a loop bounds.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  // Nest is a type there: a process without it loads nothing of it, so a library's module has no decorator (ADR 9).
  {
    files: ['libs/*/src/*.module.ts'],
    rules: { '@typescript-eslint/no-extraneous-class': ['error', { allowStaticOnly: true }] },
  },
  ...ROOMS.map((room) => ({ files: [room], rules: { 'no-restricted-imports': restrictedImports(room) } })),
  {
    files: ['apps/web/src/**'],
    ignores: ['apps/web/src/lib/http/**'],
    rules: {
      'no-restricted-imports': restrictedImports(null, WEB_REQUESTS),
      'no-restricted-globals': ['error', ...WEB_REQUESTS.globals],
    },
  },
  { files: ['apps/web/src/features/**/*.api.ts'], rules: { 'no-restricted-imports': restrictedImports(null) } },
  // A component calls a hook that sends and brings the caches in step.
  {
    files: ['apps/web/src/**/*.tsx'],
    rules: {
      'no-restricted-imports': restrictedImports(null, {
        ...WEB_REQUESTS,
        paths: [
          ...WEB_REQUESTS.paths,
          { name: '@tanstack/react-query', importNames: ['useMutation'], message: REQUESTS },
        ],
      }),
    },
  },
  // Ink hands control sequences in a string on to the terminal.
  {
    files: ['apps/terminal/src/**'],
    ignores: ['apps/terminal/src/attach/words.tsx'],
    rules: {
      'no-restricted-imports': restrictedImports(null, {
        paths: [
          { name: 'ink', importNames: ['Text', 'Transform'], message: 'Use Words, which takes safe text alone.' },
        ],
      }),
    },
  },
  // In the editor; scripts/architecture.spec.mjs checks the same table, and that rooms of one layer have no circle.
  { files: ['apps/*/src/**'], plugins: { rooms: roomsPlugin }, rules: { 'rooms/direction': 'error' } },
  {
    files: ['libs/platform/src/config/**', 'apps/terminal/src/environment/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    name: 'boundaries in specs',
    files: TESTS,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(DIRECTION_IN_TESTS),
      'no-restricted-imports': 'off',
      'no-restricted-properties': 'off',
      'rooms/direction': 'off',
    },
    plugins: { '@nx': nx, rooms: roomsPlugin },
  },
  {
    files: ['apps/web/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: { 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-undef': 'off',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
);
