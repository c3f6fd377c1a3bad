/** Text as a text column takes it: NUL, which Postgres refuses, becomes its visible symbol; a lone surrogate is sent as U+FFFD by the driver. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '␀');
}
