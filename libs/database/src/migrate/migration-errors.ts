/** The database has a migration that this program does not know: a newer version of the product wrote it. */
export class DatabaseNewerError extends Error {
  constructor(readonly unknownMigrations: string[]) {
    super(
      `The database was migrated by a newer version of Chirality (${unknownMigrations.join(', ')}). ` +
        'Start that version, or restore a backup made before the upgrade.',
    );
    this.name = 'DatabaseNewerError';
  }
}

/** A migration that was applied earlier has another content now, so what the database looks like is unknown. */
export class MigrationEditedError extends Error {
  constructor(readonly migration: string) {
    super(`Migration ${migration} was applied with another content than the file has now. Restore the file as it was.`);
    this.name = 'MigrationEditedError';
  }
}

/** A migration's SQL failed. Nothing of it was kept. */
export class MigrationFailedError extends Error {
  constructor(
    readonly migration: string,
    cause: unknown,
  ) {
    super(
      `Migration ${migration} failed and was rolled back: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
    this.name = 'MigrationFailedError';
  }
}
