import { z } from 'zod';

/** `jsonl` is the events themselves and stays stable; the others are for reading. */
const EXPORT_FORMATS = ['jsonl', 'markdown', 'html'] as const;
const exportFormatSchema = z.enum(EXPORT_FORMATS);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

export const exportQuerySchema = z.strictObject({ format: exportFormatSchema.default('jsonl') });
