export { egressHostText, isHostListed, parseEgressHost, whyNoEgressHost } from './egress-hosts';
export {
  mayReachAddress,
  NO_PRIVATE_HOSTS,
  parsePrivateHosts,
  UNKNOWN_PRIVATE_HOSTS,
  type PrivateHosts,
} from './private-hosts';
export { isPublicAddress } from './public-address';
