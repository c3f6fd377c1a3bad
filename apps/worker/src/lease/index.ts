export { startLeaseThread, type LeaseThread, type LeaseThreadOptions } from './start-lease-thread';
