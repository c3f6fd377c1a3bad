import { z } from 'zod';
import { ConfigError } from './config-error';

const schema = z.record(z.string(), z.number().positive());

/**
 * Time limits that a test of whole processes shortens, by their names: `{"startMs":2000}`. Only with NODE_ENV=test; an
 * installation cannot set them by accident.
 */
export function parseTestLimits(value: string, isTest: boolean): Readonly<Record<string, number>> {
  if (value === '') return {};
  if (!isTest) throw new ConfigError('CHIRALITY_TEST_LIMITS is for tests: it is refused unless NODE_ENV is test');
  try {
    return schema.parse(JSON.parse(value));
  } catch {
    throw new ConfigError('CHIRALITY_TEST_LIMITS must be a JSON object of milliseconds');
  }
}
