// In place of libs/platform/src/thread/thread-options.ts: see jest.config.
const { join } = require('node:path');

module.exports = {
  THREAD_OPTIONS: { execArgv: ['-r', join(__dirname, '../../../apps/worker/test/register-typescript.cjs')] },
};
