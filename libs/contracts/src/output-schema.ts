import { z } from 'zod';

/** The most that a turn's schema may hold, as compact JSON. */
export const OUTPUT_SCHEMA_LIMIT_BYTES = 16 * 1024;
export const OUTPUT_SCHEMA_MAX_DEPTH = 32;

/**
 * A JSON schema (draft 7) of an object: what a turn's answer has to be. Whether it is one is checked by the service.
 */
export const outputSchemaSchema = z.record(z.string(), z.unknown());
export type OutputSchema = z.infer<typeof outputSchemaSchema>;
