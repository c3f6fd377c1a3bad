export { createDatabase, type Database, type DatabaseOptions, type Tx } from './connection/database';
export { inTransaction } from './connection/transaction';
export { classifyDatabaseError, isDatabaseUnavailable, violatesUnique, type DatabaseErrorClass } from './connection/database-error';
export { migrateDatabase } from './migrate/migrate-database';
export { DatabaseNewerError, MigrationEditedError, MigrationFailedError } from './migrate/migration-errors';
export { EventLogClosedError, type AppendItem, type AppendResult, type Transition } from './event/append-item';
export { EventLogWriter, PAYLOAD_LIMIT_BYTES, type EventLogWriterOptions } from './event/event-log-writer';
export { EventRepository, type EventRange } from './event/event.repository';
export { openLeaseConnection, type LeaseConnection } from './worker/lease-connection';
