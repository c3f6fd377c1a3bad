export * from './list-models';
export * from './program-models';
