/** The document that `/v1/openapi.json` answers; made once, from the routes that are served. */
export class OpenApi {
  constructor(readonly document: Record<string, unknown>) {}
}

/** The features of the routes and gateways that are served. */
export class ServedFeatures {
  constructor(readonly features: string[]) {}
}
