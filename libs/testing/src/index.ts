export * from './wait-for';
export * from './postgres/test-postgres';
export * from './postgres/test-database';
export * from './postgres/postgres-binaries';
export * from './redis/test-redis';
export * from './factories/world';
export * from './fake-claude';
