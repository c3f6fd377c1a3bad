export * from './fake-claude';
export * from './fake-claude-script';
export * from './install-fake-claude';
