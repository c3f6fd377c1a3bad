/** Where the whole content of a tool's result is kept when it is too large for an event. `toolUseId` comes from a model, so it is not trusted as a path. */
export function toolResultKey(turnId: string, toolUseId: string): string {
  return `turns/${turnId}/results/${Array.from(new TextEncoder().encode(toolUseId).slice(0, 95), (byte) => byte.toString(16).padStart(2, '0')).join('') || '0'}.json`;
}

/** The route that answers it. */
export function toolResultHref(sessionId: string, turnId: string, toolUseId: string): string {
  return `/v1/sessions/${sessionId}/turns/${turnId}/tools/${encodeURIComponent(toolUseId)}/result`;
}
