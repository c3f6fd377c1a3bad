export * from './new-id';
export * from './turn/turn-status';
