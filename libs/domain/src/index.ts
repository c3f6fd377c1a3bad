export * from './cost';
export * from './masking';
export * from './new-id';
export * from './options';
export * from './permission';
export * from './text/cut-text';
export * from './turn/turn-status';
export * from './transcript';
