export * from './program-models';
