import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FactoryProvider } from '@nestjs/common';
import type { Database } from './connection/database';
import { DatabaseModule } from './database.module';
import type { EventLogWriter } from './event/event-log-writer';

const { providers = [], exports: exported = [] } = DatabaseModule.forRoot({
  database: {} as Database,
  eventLog: {} as EventLogWriter,
});
const repositories = providers.filter((each): each is FactoryProvider => 'useFactory' in each);

it('every file of a repository is provided, once, and exported', () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.repository.ts'),
  );
  expect(files.length).toBeGreaterThan(30);
  const classes = files.flatMap((file) =>
    Object.values(jest.requireActual<object>(join(__dirname, file))).filter(({ name }) => /Repository$/.test(name)),
  );
  expect(repositories.map(({ provide }) => (provide as { name: string }).name).sort()).toEqual(
    classes.map(({ name }) => name as string).sort(),
  );
  expect(exported).toEqual(expect.arrayContaining(repositories));
});
