export { checkUpstream, type UpstreamCheck } from './check-upstream';
export type { Admission, ModelRequest, Payer, Paymaster } from './paymaster';
export { Upstream } from './upstream';
export { isGatewayToken } from './gateway-token';
export type { CheckedRequest, RequestAllowance } from './check';
export { RequestRefused } from './check';
export * from './gateway.types';
export { ModelGateway, type GatewayLease, type ModelGatewayOptions } from './model-gateway';
