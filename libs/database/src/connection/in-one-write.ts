import type { Writable } from 'node:stream';
import type { ClientBase } from 'pg';

/** What `act` sends before its first wait leaves in one write, so that the server reads it at once. */
export function inOneWrite<T>(client: ClientBase, act: () => T): T {
  const { connection } = client as ClientBase & { connection?: { stream?: Writable } };
  connection?.stream?.cork();
  try {
    return act();
  } finally {
    connection?.stream?.uncork();
  }
}
