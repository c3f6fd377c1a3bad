export { LEASE_GIVE_UP_MS, startLeaseThread, type LeaseThread, type LeaseThreadOptions } from './start-lease-thread';
