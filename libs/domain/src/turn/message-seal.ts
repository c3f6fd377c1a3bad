/**
 * What a queued message is sealed for (the `aad` of SecretBox): the api seals with it before the turn has an id, and
 * only a worker that opens it for the same session can.
 */
export function messageSealOf(sessionId: string): string {
  return `turn-message:${sessionId}`;
}
