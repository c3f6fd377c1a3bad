/**
 * Storage that may be full, closed or absent. What cannot be kept is then forgotten with the page, never an error;
 * `set` answers whether it is kept.
 */
export interface KeyValueStore {
  get(key: string): string | null;
  set(key: string, value: string): boolean;
  remove(key: string): void;
  keys(prefix: string): string[];
}

function browserStore(open: () => Storage): KeyValueStore {
  const attempt = <T>(act: (storage: Storage) => T, fallback: T): T => {
    try {
      return act(open());
    } catch {
      return fallback;
    }
  };
  return {
    get: (key) => attempt((storage) => storage.getItem(key), null),
    set: (key, value) =>
      attempt((storage) => {
        storage.setItem(key, value);
        return true;
      }, false),
    remove: (key) => attempt((storage) => storage.removeItem(key), undefined),
    keys: (prefix) =>
      attempt(
        (storage) =>
          Array.from({ length: storage.length }, (_, at) => storage.key(at)).filter(
            (key): key is string => key !== null && key.startsWith(prefix),
          ),
        [],
      ),
  };
}

export const localStore = browserStore(() => window.localStorage);
export const tabStore = browserStore(() => window.sessionStorage);
