/**
 * The path below which the server is reached, as it wrote it into its page: '' where the host is its own, else such as
 * `/tools/chirality`.
 */
export const BASE_PATH =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="chirality-base"]')?.content ?? '';

/** An address of the server as the browser asks for it. */
export function belowBase(path: string): string {
  return `${BASE_PATH}${path}`;
}
