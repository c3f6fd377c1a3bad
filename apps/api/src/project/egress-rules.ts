import {
  egressHostText,
  NO_PRIVATE_HOSTS,
  parseEgressHost,
  whyNoEgressHost,
  type PrivateHosts,
} from '@chirality/domain';
import { ProblemError } from '@chirality/platform';

/**
 * The list as it is stored: one spelling of each entry, once, in order. Throws VALIDATION_FAILED that names each entry
 * that is none.
 */
export function usableEgressHosts(given: readonly string[], privateHosts: PrivateHosts = NO_PRIVATE_HOSTS): string[] {
  const errors = given.flatMap((text, index) => {
    const why = whyNoEgressHost(text, privateHosts);
    return why === null ? [] : [{ path: `hosts.${index}`, message: `${text} ${why}` }];
  });
  const [first] = errors;
  if (first)
    throw new ProblemError('VALIDATION_FAILED', `The list of hosts is not valid: ${first.message}.`, { errors });
  const texts = given.flatMap((text) => parseEgressHost(text, privateHosts) ?? []).map(egressHostText);
  return [...new Set(texts)].sort();
}
