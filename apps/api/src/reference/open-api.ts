/** The document that `/v1/openapi.json` answers; made once, from the routes that are served. */
export class OpenApi {
  constructor(readonly document: Record<string, unknown>) {}
}
