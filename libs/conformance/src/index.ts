export { TRANSPORTS, type Transport } from './driver/driver';
export { conformanceReport } from './suite/report';
export { runConformance, SCENARIOS, type ConformanceOptions } from './suite/run-conformance';
