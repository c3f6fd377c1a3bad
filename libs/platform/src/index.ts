export { loadConfig, ConfigError, type Config } from './config/config';
/** @public Required by scripts/migrate.mjs from the built library. */
export { checkDatabaseUrl } from './config/service-url';
export { createLogger, type Logger } from './log/logger';
export { cutForLog, cutMalformedForLog } from './log/cut-for-log';
export { SchemaJudge } from './output-schema/schema-judge';
export { JobThread } from './thread/job-thread';
export { ProblemError } from './problem/problem-error';
export { SecretBox, SecretBoxError, deriveKey } from './secret/secret-box';
export { metrics, metricsRegistry } from './metrics/metrics';
export { HealthRegistry, type HealthReport } from './health/health-registry';
export {
  machineIdentity,
  processStartTime,
  killProcessIfSame,
  type RegisteredProcess,
} from './process/machine-identity';
export { removeStaleSockets } from './process/stale-sockets';
export { coalesced, joined } from './timing/coalesced';
export { every } from './timing/every';
export { diskSpace, isDiskLow, type DiskSpace } from './disk/disk-space';
export { createBlobStore, type BlobStore } from './blob/blob-store';
export { FileBlobStore } from './blob/file-blob-store';
export {
  abandonRelay,
  newRelayId,
  readRelay,
  RelayAbandonedError,
  RelayBrokenError,
  RELAYS,
  writeRelay,
} from './blob/blob-relay';
export { BLOBS, CONFIG, LOG, PlatformModule } from './platform.module';
