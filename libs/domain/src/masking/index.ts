export * from './masking-stream';
