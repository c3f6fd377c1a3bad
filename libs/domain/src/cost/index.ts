export * from './default-prices';
export * from './find-price';
export * from './known-cost';
export * from './money';
export * from './price-usage';
export * from './request-bounds';
export * from './token-usage';
