const MAX_CHARS = 300;

/** What an error of the model's service says in words; null where it says nothing that can be read. */
export function errorMessageOf(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' && error.message.trim() !== ''
      ? error.message.trim().slice(0, MAX_CHARS)
      : null;
  } catch {
    return null;
  }
}
