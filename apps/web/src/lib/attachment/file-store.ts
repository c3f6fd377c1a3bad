/** A file as it waits for its message, with where it belongs. */
export type StoredFile = { key: string; place: string; file: File; atMs: number };

/** Where files are kept over reloads. Room may be short or closed: `put` answers whether it is kept. */
export interface FileStore {
  /** Those of one place, the first chosen first. */
  of(place: string): Promise<StoredFile[]>;
  put(stored: StoredFile): Promise<boolean>;
  remove(key: string): Promise<void>;
}

const NAME = 'chirality.files';
const TABLE = 'files';
/** As long as the server keeps what was uploaded and not sent. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** The browser's own database: the store of drafts takes texts alone, and few of them. */
export function browserFileStore(now: () => number): FileStore {
  let opening: Promise<IDBDatabase> | null = null;
  const table = async (mode: IDBTransactionMode) => {
    opening ??= opened();
    return (await opening).transaction(TABLE, mode).objectStore(TABLE);
  };
  const remove = async (key: string) => {
    await table('readwrite')
      .then((files) => answerOf(files.delete(key)))
      .catch(() => undefined);
  };
  return {
    remove,
    of: async (place) => {
      const all = await table('readonly')
        .then((files) => answerOf(files.getAll() as IDBRequest<StoredFile[]>))
        .catch(() => []);
      const isOld = ({ atMs }: StoredFile) => now() - atMs > KEPT_MS;
      await Promise.all(all.filter(isOld).map(({ key }) => remove(key)));
      return all.filter((one) => one.place === place && !isOld(one)).toSorted((a, b) => a.atMs - b.atMs);
    },
    put: (stored) =>
      table('readwrite')
        .then((files) => answerOf(files.put(stored)))
        .then(
          () => true,
          () => false,
        ),
  };
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: 'key' });
  return answerOf(request);
}

function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser’s database is not available.'));
  });
}
