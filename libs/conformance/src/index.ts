export { runConformance, SCENARIOS, type ConformanceOptions } from './suite/run-conformance';
