import { z } from 'zod';
import { ConfigError } from './config-error';

const schema = z.record(z.string(), z.union([z.ipv4(), z.ipv6()]));

/**
 * Where names lead that a test of whole processes lets sandboxes reach: `{"registry.test":"127.0.0.1"}`. Only with
 * NODE_ENV=test, since it opens what is never reached otherwise; null when there are none.
 */
export function parseTestHosts(value: string, isTest: boolean): Readonly<Record<string, string>> | null {
  if (value === '') return null;
  if (!isTest) throw new ConfigError('CHIRALITY_TEST_HOSTS is for tests: it is refused unless NODE_ENV is test');
  try {
    return schema.parse(JSON.parse(value));
  } catch {
    throw new ConfigError('CHIRALITY_TEST_HOSTS must be a JSON object of addresses');
  }
}

/**
 * The file of authorities for the certificates of those hosts. Only with NODE_ENV=test, since a holder of their keys
 * could pose as any host.
 */
export function parseTestAuthorities(value: string, isTest: boolean): string | null {
  if (value === '') return null;
  if (!isTest) throw new ConfigError('CHIRALITY_TEST_AUTHORITIES is for tests: it is refused unless NODE_ENV is test');
  return value;
}
