export * from './variable-masks';
export * from './variable-name';
export * from './variable-seal';
