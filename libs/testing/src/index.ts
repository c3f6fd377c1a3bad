export * from './wait-for';
export * from './postgres/test-postgres';
export * from './postgres/postgres-binaries';
export * from './redis/test-redis';
export * from './stack/managed-process';
export * from './stack/stack';
export * from './stack/client';
