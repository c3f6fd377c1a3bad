import type { FactoryProvider } from '@nestjs/common';
import { EventLogWriter } from '../event/event-log-writer';
import type { Database } from './database';

/** Where a Nest application finds the connections. */
export const DATABASE = Symbol('database');

/** Providers of repositories that read and write rows. */
export function overDatabase(...repositories: (new (database: Database) => object)[]): FactoryProvider[] {
  return repositories.map((repository) => ({
    provide: repository,
    inject: [DATABASE],
    useFactory: (database: Database) => new repository(database),
  }));
}

/** Providers of repositories whose writes append to the event log as well. */
export function overEventLog(
  ...repositories: (new (database: Database, eventLog: EventLogWriter) => object)[]
): FactoryProvider[] {
  return repositories.map((repository) => ({
    provide: repository,
    inject: [DATABASE, EventLogWriter],
    useFactory: (database: Database, eventLog: EventLogWriter) => new repository(database, eventLog),
  }));
}
