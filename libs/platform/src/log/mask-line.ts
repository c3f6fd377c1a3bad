import { maskJson, maskText } from '@chirality/domain';

/** A log line without the secrets that any of its strings holds: the last wall behind the fields that are left out by name. */
export function maskLogLine(line: string): string {
  try {
    return `${JSON.stringify(maskJson(JSON.parse(line) as unknown))}\n`;
  } catch {
    return maskText(line);
  }
}
