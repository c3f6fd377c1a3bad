export type { UpstreamCheck } from './check-upstream';
export { isGatewayToken } from './gateway-token';
export * from './gateway.types';
export { ModelGateway, type GatewayLease, type ModelGatewayOptions } from './model-gateway';
