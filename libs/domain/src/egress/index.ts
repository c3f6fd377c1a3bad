export * from './egress-hosts';
export * from './public-address';
