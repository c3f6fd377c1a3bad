export { checkUpstream } from './check-upstream';
export type { Admission, ModelRequest, Payer, Paymaster } from './paymaster';
export { Upstream } from './upstream';
export * from './gateway.types';
export { ModelGateway, type GatewayLease } from './model-gateway';
