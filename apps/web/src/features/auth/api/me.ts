import type { Device, Page, UpdateMe, User } from '@chirality/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/http/api-client';

export function updateMe(body: UpdateMe): Promise<User> {
  return request('/v1/me', { method: 'PATCH', body });
}

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) => (await request<Page<Device>>('/v1/me/devices', { signal })).data,
});

export function signOutDevice(deviceId: string): Promise<void> {
  return request(`/v1/me/devices/${deviceId}`, { method: 'DELETE' });
}

export function signOutOtherDevices(): Promise<void> {
  return request('/v1/me/devices', { method: 'DELETE' });
}
