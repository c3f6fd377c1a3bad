export { EgressGateway } from './egress-gateway';
export type { EgressLease } from './egress-lease';
export { networkWithHosts, networkWithPrivateHosts, PUBLIC_NETWORK } from './public-network';
export { EgressRecord } from './egress-record';
export { refusalNotice } from './refusal';
export type { EgressBinding, EgressLogRow, EgressLogSink, EgressNetwork } from './egress.types';
