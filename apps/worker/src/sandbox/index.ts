export { createSandbox, type SandboxSettings } from './create-sandbox';
export { INSIDE } from './inside-paths';
export { DEFAULT_LIMITS, type LimitsReport, type SandboxLimits } from './limits';
export { readProcess } from './process-table';
export type { Sandbox } from './sandbox';
export * from './sandbox.types';
